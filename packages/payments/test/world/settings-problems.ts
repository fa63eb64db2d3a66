import {
  createPayments,
  type PaymentSettings,
  PaymentSettingsError,
  type SettingProblem,
  systemRuntime,
} from '../../src/index.ts'

/** What keeps a client with these settings from starting; nothing where it starts. */
export function problemsOf(settings: PaymentSettings): readonly SettingProblem[] {
  try {
    createPayments(settings, systemRuntime)
    return []
  } catch (error) {
    if (error instanceof PaymentSettingsError) return error.problems
    throw error
  }
}
