import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  apiEnvironment,
  generatePlatformKeys,
  generateVirtualKeys,
  type MerchantSettings,
  type PlatformKeys,
} from '@meridian/payments/testing'

/** The keys of the platform and of its one merchant, made once per folder and readable by their owner alone. */
export function keepKeys(folder: string): PlatformKeys {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'keys.json')
  const kept: PlatformKeys = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : generatePlatformKeys()
  // A folder of an earlier version knows nothing of virtual payment.
  const keys = { ...kept, virtual: kept.virtual ?? generateVirtualKeys() }
  writePrivate(file, JSON.stringify(keys, null, 2))
  return keys
}

/** Written beside and renamed, so that nobody ever reads half a file. */
function writePrivate(file: string, content: string): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600 })
  chmodSync(`${file}.new`, 0o600)
  renameSync(`${file}.new`, file)
}

/** Writes what an API needs to take this sandbox for its payment platform: key files and `api.env`, whose path it answers. */
export function writeApiSettings(folder: string, settings: MerchantSettings): string {
  const merchantKeyFile = join(folder, 'merchant.pem')
  writePrivate(merchantKeyFile, settings.merchantPrivateKey)
  const platformKeys = settings.platformKeys.map(({ id, pem }, index) => {
    const file = join(folder, `platform-${index + 1}.pem`)
    writePrivate(file, pem)
    return `${id}=${file}`
  })
  const env = apiEnvironment(settings, { merchantKeyFile, platformKeys })
  const lines = Object.entries(env).map(([name, value]) => `${name}="${value}"\n`)
  const file = join(folder, 'api.env')
  writePrivate(file, lines.join(''))
  return file
}
