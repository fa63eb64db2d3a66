import type { PlatformState } from './platform-state.ts'
import type { MerchantSettings } from './platform-types.ts'

/** What a merchant of this platform would have in its settings. */
export function settingsOf({ keys, keyMode, virtual }: PlatformState, baseUrl: string): MerchantSettings {
  const publicKey = { id: keys.publicKey.id, pem: keys.publicKey.publicKey }
  const certificates = keys.certificates.map(({ serial, certificate }) => ({ id: serial, pem: certificate }))
  const platformKeys = {
    public_key: [publicKey],
    certificate: certificates,
    mixed: [publicKey, ...certificates],
  }
  return {
    appId: keys.appId,
    mchId: keys.mchId,
    merchantSerialNo: keys.merchant.serial,
    merchantPrivateKey: keys.merchant.privateKey,
    apiV3Keys: [keys.apiV3Key],
    platformKeys: platformKeys[keyMode],
    downloadKeys: false,
    notifyUrl: 'http://127.0.0.1/api/v1/payment/notify',
    baseUrl,
    appSecret: keys.appSecret,
    apiBaseUrl: baseUrl,
    virtual: {
      offerId: virtual.keys.offerId,
      appKey: virtual.keys.appKeys[0],
      env: 0,
      pushToken: virtual.keys.pushToken,
      pushAesKey: virtual.keys.pushAesKey,
    },
  }
}

/** Where the keys are: the merchant's in a file, those of the platform each as `id=file`. */
type KeyFiles = { merchantKeyFile: string; platformKeys: readonly string[] }

/** These settings of a merchant as the environment variables that Meridian's API reads. */
export const apiEnvironment = (settings: MerchantSettings, { merchantKeyFile, platformKeys }: KeyFiles) => ({
  WECHAT_APP_ID: settings.appId,
  WECHAT_APP_SECRET: settings.appSecret,
  WECHAT_API_BASE_URL: settings.apiBaseUrl,
  WECHAT_PAY_BASE_URL: settings.baseUrl,
  WECHAT_PAY_APP_ID: settings.appId,
  WECHAT_PAY_MCH_ID: settings.mchId,
  WECHAT_PAY_MERCHANT_SERIAL_NO: settings.merchantSerialNo,
  WECHAT_PAY_MERCHANT_PRIVATE_KEY_FILE: merchantKeyFile,
  WECHAT_PAY_API_V3_KEY: settings.apiV3Keys.join(','),
  WECHAT_PAY_PLATFORM_KEYS: platformKeys.join(','),
  WECHAT_PAY_NOTIFY_URL: settings.notifyUrl,
  WECHAT_VIRTUAL_OFFER_ID: settings.virtual.offerId,
  WECHAT_VIRTUAL_APP_KEY: settings.virtual.appKey,
  WECHAT_VIRTUAL_ENV: String(settings.virtual.env),
  WECHAT_PUSH_TOKEN: settings.virtual.pushToken,
  WECHAT_PUSH_AES_KEY: settings.virtual.pushAesKey,
})
