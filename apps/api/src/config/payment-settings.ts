import { readFileSync } from 'node:fs'
import type { PaymentSettings } from '@meridian/payments'

const officialBaseUrl = 'https://api.mch.weixin.qq.com'
/** Of the mini-program: login, messages, virtual payment. */
export const officialApiUrl = 'https://api.weixin.qq.com'
const credentialNames = [
  'WECHAT_PAY_APP_ID',
  'WECHAT_PAY_MCH_ID',
  'WECHAT_PAY_MERCHANT_SERIAL_NO',
  'WECHAT_PAY_MERCHANT_PRIVATE_KEY_FILE',
  'WECHAT_PAY_API_V3_KEY',
  'WECHAT_PAY_PLATFORM_KEYS',
  'WECHAT_PAY_NOTIFY_URL',
] as const
type CredentialName = (typeof credentialNames)[number]

export type PlatformKind = 'official' | 'sandbox' | 'off'
type PaymentConfig = { settings: PaymentSettings | null; platform: PlatformKind; problems: string[] }

/** Which variable a problem that the payments package found belongs to. */
export const settingVariables: Readonly<Record<keyof PaymentSettings, string>> = {
  appId: 'WECHAT_PAY_APP_ID',
  mchId: 'WECHAT_PAY_MCH_ID',
  merchantSerialNo: 'WECHAT_PAY_MERCHANT_SERIAL_NO',
  merchantPrivateKey: 'WECHAT_PAY_MERCHANT_PRIVATE_KEY_FILE',
  apiV3Keys: 'WECHAT_PAY_API_V3_KEY',
  platformKeys: 'WECHAT_PAY_PLATFORM_KEYS',
  downloadKeys: 'WECHAT_PAY_PLATFORM_KEYS',
  notifyUrl: 'WECHAT_PAY_NOTIFY_URL',
  baseUrl: 'WECHAT_PAY_BASE_URL',
}

function readKeyFile(file: string, variable: string, problems: string[]): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    problems.push(`${variable}: names a file that cannot be read`)
    return ''
  }
}

function readPlatformKeys(text: string, problems: string[]) {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  const pairs = entries.filter((entry) => entry !== 'auto')
  const platformKeys = pairs.flatMap((pair) => {
    const separator = pair.indexOf('=')
    if (separator < 1) {
      problems.push('WECHAT_PAY_PLATFORM_KEYS: must be serial=file pairs, or auto')
      return []
    }
    const pem = readKeyFile(pair.slice(separator + 1), 'WECHAT_PAY_PLATFORM_KEYS', problems)
    return [{ id: pair.slice(0, separator), pem }]
  })
  return { platformKeys, downloadKeys: entries.includes('auto') }
}

function hostProblem(variable: string, address: string): string | null {
  if (!URL.canParse(address)) return `${variable}: must be an https address`
  const { protocol, hostname } = new URL(address)
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
  return protocol === 'https:' || (protocol === 'http:' && loopback)
    ? null
    : `${variable}: must be https (http only for loopback)`
}

/** The seven credential settings: all absent means payments are off; some absent is a mistake that names them. */
export function readPaymentConfig(environment: Readonly<Record<string, string>>): PaymentConfig {
  const problems: string[] = []
  const baseUrl = environment['WECHAT_PAY_BASE_URL'] ?? officialBaseUrl
  const baseProblem = hostProblem('WECHAT_PAY_BASE_URL', baseUrl)
  if (baseProblem) problems.push(baseProblem)
  const missing = credentialNames.filter((name) => !environment[name])
  if (missing.length === credentialNames.length) return { settings: null, platform: 'off', problems }
  problems.push(...missing.map((name) => `${name}: is required when another payment setting is present`))
  if (missing.length > 0) return { settings: null, platform: 'off', problems }

  const value = (name: CredentialName) => environment[name] ?? ''
  const notifyUrl = value('WECHAT_PAY_NOTIFY_URL')
  const notifyProblem = hostProblem('WECHAT_PAY_NOTIFY_URL', notifyUrl)
  if (notifyProblem) problems.push(notifyProblem)
  else if (notifyUrl.includes('?')) problems.push('WECHAT_PAY_NOTIFY_URL: must not have a query')
  const keyFile = value('WECHAT_PAY_MERCHANT_PRIVATE_KEY_FILE')
  const settings = {
    appId: value('WECHAT_PAY_APP_ID'),
    mchId: value('WECHAT_PAY_MCH_ID'),
    merchantSerialNo: value('WECHAT_PAY_MERCHANT_SERIAL_NO'),
    merchantPrivateKey: readKeyFile(keyFile, 'WECHAT_PAY_MERCHANT_PRIVATE_KEY_FILE', problems),
    apiV3Keys: value('WECHAT_PAY_API_V3_KEY')
      .split(',')
      .map((key) => key.trim()),
    ...readPlatformKeys(value('WECHAT_PAY_PLATFORM_KEYS'), problems),
    notifyUrl,
    baseUrl,
  }
  return { settings, platform: baseUrl === officialBaseUrl ? 'official' : 'sandbox', problems }
}
