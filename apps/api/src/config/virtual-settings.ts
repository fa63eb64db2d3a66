import type { VirtualSettings } from '@meridian/payments'
import { officialApiUrl, type PlatformKind } from './payment-settings.ts'

/** All of them or none; the form that the platform's console gives each (virtual payment §1.4, SPEC §15). */
const credentials = {
  WECHAT_VIRTUAL_OFFER_ID: { form: /^[\x21-\x7e]{1,64}$/, rule: 'must be 1 to 64 characters without spaces' },
  WECHAT_VIRTUAL_APP_KEY: {
    form: /^[\x21-\x7e]{1,128}$/,
    rule: 'must be 1 to 128 characters without spaces',
  },
  WECHAT_PUSH_TOKEN: { form: /^[A-Za-z0-9]{3,32}$/, rule: 'must be 3 to 32 letters and digits' },
  WECHAT_PUSH_AES_KEY: { form: /^[A-Za-z0-9+/]{43}$/, rule: 'must be 43 characters of base64' },
} as const
type Name = keyof typeof credentials

const names = Object.keys(credentials).filter((name): name is Name => name in credentials)

type VirtualConfig = { settings: VirtualSettings | null; platform: PlatformKind; problems: string[] }
type Environment = Readonly<Record<string, string>>

function problemsOf(environment: Environment, hasPayments: boolean): string[] {
  const login = hasPayments ? ['WECHAT_APP_SECRET'] : ['WECHAT_APP_ID', 'WECHAT_APP_SECRET']
  const missing = [...names, ...login].filter((name) => !environment[name])
  return [
    ...missing.map((name) => `${name}: is required when virtual payment is configured`),
    ...names.flatMap((name) => {
      const value = environment[name]
      return value && !credentials[name].form.test(value) ? [`${name}: ${credentials[name].rule}`] : []
    }),
  ]
}

/**
 * The settings of virtual payment (SPEC §15). Its environment is set by WECHAT_VIRTUAL_ENV and by nothing else; with 1
 * the installation is a sandbox, whatever else is set.
 */
export function readVirtualConfig(
  environment: Environment,
  { hasPayments }: { hasPayments: boolean },
): VirtualConfig {
  const given = environment['WECHAT_VIRTUAL_ENV'] ?? '0'
  if (given !== '0' && given !== '1')
    return { settings: null, platform: 'off', problems: ['WECHAT_VIRTUAL_ENV: must be 0 or 1'] }
  const env = given === '1' ? 1 : 0
  const unset: VirtualConfig = { settings: null, platform: env === 1 ? 'sandbox' : 'off', problems: [] }
  if (names.every((name) => !environment[name])) return unset
  const problems = problemsOf(environment, hasPayments)
  if (problems.length > 0) return { ...unset, problems }
  const value = (name: Name) => environment[name] ?? ''
  const isOfficial = env === 0 && (environment['WECHAT_API_BASE_URL'] ?? officialApiUrl) === officialApiUrl
  return {
    settings: {
      offerId: value('WECHAT_VIRTUAL_OFFER_ID'),
      appKey: value('WECHAT_VIRTUAL_APP_KEY'),
      env,
      pushToken: value('WECHAT_PUSH_TOKEN'),
      pushAesKey: value('WECHAT_PUSH_AES_KEY'),
    },
    platform: isOfficial ? 'official' : 'sandbox',
    problems,
  }
}
