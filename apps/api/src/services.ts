import { type OpenDatabase, openDatabase } from '@meridian/db'
import {
  createMiniProgram,
  createPayments,
  type MiniProgram,
  type Outside,
  PaymentSettingsError,
  type Payments,
} from '@meridian/payments'
import type { Logger } from 'pino'
import { type Config, ConfigError } from './config.ts'
import { settingVariables } from './payment-config.ts'
import { type Limits, openLimits } from './platform/limits/open-limits.ts'

/** Everything a story may need from outside, passed as an argument. */
export type Services = {
  config: Config
  log: Logger
  outside: Outside
  database: OpenDatabase
  payments: Payments | null
  miniProgram: MiniProgram | null
  limits: Limits
}

function openPayments(config: Config, outside: Outside): Payments | null {
  if (!config.payments) return null
  try {
    return createPayments(config.payments, outside)
  } catch (error) {
    if (!(error instanceof PaymentSettingsError)) throw error
    throw new ConfigError(
      error.problems.map(({ setting, message }) => `${settingVariables[setting]}: ${message}`),
    )
  }
}

/**
 * Opens what the program works with.
 * @throws ConfigError when a payment setting does not hold.
 */
export function openServices(config: Config, log: Logger, outside: Outside): Services {
  const payments = openPayments(config, outside)
  const database = openDatabase(config.DATABASE_URL, {
    applicationName: 'meridian-api',
    onIdleError: (error) => log.warn({ reason: error.message }, 'database connection lost'),
  })
  const miniProgram = config.login ? createMiniProgram(config.login, outside) : null
  const limits = openLimits(config.REDIS_URL, log)
  return { config, log, outside, database, payments, miniProgram, limits }
}

/** Lets go of what was opened. */
export async function closeServices({ database, limits }: Services): Promise<void> {
  await database.close()
  limits.close()
}
