import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { apiV3KeyObject } from './cipher.ts'
import { type HeldKey, keyId, PUBLIC_KEY_ID, readPlatformKey, sameSerial } from './key-ring/key-ring.ts'

/** What a merchant must have to take part (protocol §1.2, §2). PEM values are texts: the caller reads the files. */
export type PaymentSettings = {
  appId: string
  mchId: string
  /** Serial number of the merchant API certificate, hexadecimal. */
  merchantSerialNo: string
  merchantPrivateKey: string
  /** One or two, newest first, each exactly 32 bytes. */
  apiV3Keys: readonly string[]
  /** Platform certificate serial or `PUB_KEY_ID_…`, with the certificate or public key. */
  platformKeys: readonly { id: string; pem: string }[]
  /** Whether platform certificates are downloaded. */
  downloadKeys: boolean
  /** https, without query; http for loopback only. */
  notifyUrl: string
  /** https; http for loopback only. The backup host is used only with the official one. */
  baseUrl: string
}

/** What is wrong with one setting; never its value. */
export type SettingProblem = { setting: keyof PaymentSettings; message: string }

/** Settings with which payments cannot start. Names the settings, never a value. */
export class PaymentSettingsError extends Error {
  readonly problems: readonly SettingProblem[]

  constructor(problems: readonly SettingProblem[]) {
    super(problems.map(({ setting, message }) => `${setting}: ${message}`).join('\n'))
    this.name = 'PaymentSettingsError'
    this.problems = problems
  }
}

/** Settings that hold, with every key read once. */
export type Credentials = {
  appId: string
  mchId: string
  serialNo: string
  privateKey: KeyObject
  apiV3Keys: readonly KeyObject[]
  platformKeys: readonly HeldKey[]
  downloadKeys: boolean
  notifyUrl: string
  baseUrl: URL
}

type Report = (setting: keyof PaymentSettings, message: string) => void

/**
 * Checks everything that can be checked before the first call (protocol §2.2, §2.5, §12.2). Throws
 * PaymentSettingsError with all problems at once; no message holds a value.
 */
export function checkSettings(settings: PaymentSettings): Credentials {
  const problems: SettingProblem[] = []
  const report: Report = (setting, message) => problems.push({ setting, message })
  checkNames(settings, report)
  checkNotifyUrl(settings.notifyUrl, report)
  const privateKey = readPrivateKey(settings.merchantPrivateKey, report)
  const apiV3Keys = readApiV3Keys(settings.apiV3Keys, report)
  const platformKeys = readPlatformKeys(settings, { report, privateKey })
  const baseUrl = readBaseUrl(settings.baseUrl, report)
  if (problems.length > 0 || privateKey === null || baseUrl === null) throw new PaymentSettingsError(problems)
  const { appId, mchId, downloadKeys, notifyUrl } = settings
  const serialNo = settings.merchantSerialNo.toUpperCase()
  return { appId, mchId, serialNo, privateKey, apiV3Keys, platformKeys, downloadKeys, notifyUrl, baseUrl }
}

function checkNames({ appId, mchId, merchantSerialNo }: PaymentSettings, report: Report): void {
  if (!/^[0-9A-Za-z_-]{1,32}$/.test(appId)) report('appId', 'must be 1 to 32 letters and digits')
  if (!/^[0-9A-Za-z]{1,32}$/.test(mchId)) report('mchId', 'must be 1 to 32 digits')
  if (!isWholeSerial(merchantSerialNo)) {
    const wanted = 'must be the hexadecimal serial number of the merchant certificate, with its leading zeros'
    report('merchantSerialNo', wanted)
  }
}

/**
 * Whole bytes, twenty at most (protocol §1.2, §11.8). The decimal form of twenty is longer than forty characters; of
 * fewer it is digits alone, which a shorter hexadecimal number is too rarely to be believed.
 */
const isWholeSerial = (serial: string): boolean =>
  /^(?:[0-9A-Fa-f]{2}){1,20}$/.test(serial) && (serial.length === 40 || /[A-Fa-f]/.test(serial))

function readPrivateKey(pem: string, report: Report): KeyObject | null {
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048) return key
    report('merchantPrivateKey', 'must be an RSA key of at least 2048 bits')
  } catch {
    report('merchantPrivateKey', 'must be a private key in PEM form without passphrase')
  }
  return null
}

function readApiV3Keys(keys: readonly string[], report: Report): KeyObject[] {
  if (keys.length < 1 || keys.length > 2) report('apiV3Keys', 'must be one key, or two while rotating')
  if (keys.some((key) => Buffer.byteLength(key, 'utf8') !== 32))
    report('apiV3Keys', 'must be exactly 32 bytes')
  return keys.map(apiV3KeyObject)
}

function readPlatformKeys(
  settings: PaymentSettings,
  { report, privateKey }: { report: Report; privateKey: KeyObject | null },
): HeldKey[] {
  const own = privateKey === null ? null : createPublicKey(privateKey)
  const held: HeldKey[] = []
  for (const { id, pem } of settings.platformKeys) {
    const problem = platformKeyProblem(id, settings, held)
    if (problem !== null) {
      report('platformKeys', problem)
      continue
    }
    try {
      const key = readPlatformKey({ id, pem, source: 'settings' })
      if (own?.equals(key.key)) report('platformKeys', 'holds the merchant certificate or key')
      held.push(key)
    } catch (error) {
      report('platformKeys', error instanceof Error ? error.message : 'not readable')
    }
  }
  if (settings.platformKeys.length === 0 && !settings.downloadKeys) {
    report('platformKeys', 'must hold at least one key where keys are not downloaded')
  }
  return held
}

function platformKeyProblem(id: string, settings: PaymentSettings, held: readonly HeldKey[]): string | null {
  if (!PUBLIC_KEY_ID.test(id) && !/^[0-9A-Fa-f]{1,40}$/.test(id)) {
    return 'an id must be a hexadecimal certificate serial number or a whole PUB_KEY_ID_…'
  }
  if (sameSerial(id, settings.merchantSerialNo)) return 'holds the serial number of the merchant certificate'
  return held.some((key) => key.id === keyId(id)) ? 'holds the same id twice' : null
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host)

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

const isSafe = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))

function checkNotifyUrl(text: string, report: Report): void {
  const url = parseUrl(text)
  if (url === null || !isSafe(url)) report('notifyUrl', 'must be an https URL; http is for loopback only')
  else if (text.includes('?') || text.includes('#')) report('notifyUrl', 'must have no query and no fragment')
  else if (url.username !== '' || url.password !== '') report('notifyUrl', 'must hold no user name')
  else if (text.length > 255) report('notifyUrl', 'must be at most 255 characters')
}

function readBaseUrl(text: string, report: Report): URL | null {
  const url = parseUrl(text)
  if (url === null || !isSafe(url)) report('baseUrl', 'must be an https URL; http is for loopback only')
  else if (url.username !== '' || url.password !== '' || url.pathname !== '/' || /[?#]/.test(text)) {
    report('baseUrl', 'must be scheme, host and port only')
  } else return url
  return null
}
