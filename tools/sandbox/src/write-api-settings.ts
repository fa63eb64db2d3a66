import { join } from 'node:path'
import type { MerchantSettings } from '@meridian/payments/testing'
import { writePrivate } from './keep-keys.ts'

/** Writes what an API needs to take this sandbox for its payment platform: key files and `api.env`, whose path it answers. */
export function writeApiSettings(folder: string, settings: MerchantSettings): string {
  const keyFile = join(folder, 'merchant.pem')
  writePrivate(keyFile, settings.merchantPrivateKey)
  const platformKeys = settings.platformKeys.map(({ id, pem }, index) => {
    const file = join(folder, `platform-${index + 1}.pem`)
    writePrivate(file, pem)
    return `${id}=${file}`
  })
  const env = {
    WECHAT_APP_ID: settings.appId,
    WECHAT_APP_SECRET: settings.appSecret,
    WECHAT_API_BASE_URL: settings.apiBaseUrl,
    WECHAT_PAY_BASE_URL: settings.baseUrl,
    WECHAT_PAY_APP_ID: settings.appId,
    WECHAT_PAY_MCH_ID: settings.mchId,
    WECHAT_PAY_MERCHANT_SERIAL_NO: settings.merchantSerialNo,
    WECHAT_PAY_MERCHANT_PRIVATE_KEY_FILE: keyFile,
    WECHAT_PAY_API_V3_KEY: settings.apiV3Keys.join(','),
    WECHAT_PAY_PLATFORM_KEYS: platformKeys.join(','),
    WECHAT_PAY_NOTIFY_URL: settings.notifyUrl,
  }
  const lines = Object.entries(env).map(([name, value]) => `${name}="${value}"\n`)
  const file = join(folder, 'api.env')
  writePrivate(file, lines.join(''))
  return file
}
