import type { PlatformState } from './platform-state.ts'
import type { MerchantSettings } from './platform-types.ts'

/** What a merchant of this platform would have in its settings. */
export function settingsOf({ keys, keyMode }: PlatformState, baseUrl: string): MerchantSettings {
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
  }
}
