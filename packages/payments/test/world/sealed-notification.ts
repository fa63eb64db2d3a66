import { createPrivateKey, createPublicKey } from 'node:crypto'
import { apiV3KeyObject } from '../../src/cipher.ts'
import { notificationReader } from '../../src/notification/read-notification.ts'
import { generatePlatformKeys } from '../../src/testing/index.ts'
import { type SigningKey, sealResource, signatureHeaders } from '../../src/testing/sign-and-seal.ts'

const keys = generatePlatformKeys()
const now = new Date('2026-01-01T12:00:00Z')
const signingKey: SigningKey = {
  serial: keys.publicKey.id,
  privateKey: createPrivateKey(keys.publicKey.privateKey),
}
const publicKey = createPublicKey(keys.publicKey.publicKey)

export const apiV3Key = keys.apiV3Key

/** A reader whose clock stands still and whose ring holds one key. */
export const read = notificationReader(
  {
    keyFor: (serial) => (serial === signingKey.serial ? publicKey : undefined),
    apiV3Keys: [apiV3KeyObject(keys.apiV3Key)],
  },
  () => now,
)

export type Received = { headers: Record<string, string>; body: Buffer }

/** Any bytes under a signature that holds. */
export function signed(body: Buffer): Received {
  return { headers: lowerCase(signatureHeaders({ body, key: signingKey, now })), body }
}

const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Any content, encrypted and signed as the platform does. */
export function sealed(
  content: string,
  eventType = 'SOMETHING.ELSE',
  associatedData = 'transaction',
): Received {
  const resource = sealResource(content, { apiV3Key, associatedData })
  const head = {
    id: 'EV-1',
    create_time: '2026-01-01T20:00:00+08:00',
    event_type: eventType,
    summary: '支付成功',
  }
  return signed(Buffer.from(JSON.stringify({ ...head, resource_type: 'encrypt-resource', resource }), 'utf8'))
}

/** A payment as the platform describes it. */
export const aTransaction = {
  mchid: keys.mchId,
  appid: keys.appId,
  out_trade_no: 'M01HX7Y6Z5QK3V2N8R4T9W1ABCD',
  transaction_id: '4200002026202601011234567890',
  trade_type: 'JSAPI',
  trade_state: 'SUCCESS',
  trade_state_desc: '支付成功',
  bank_type: 'OTHERS',
  attach: '',
  success_time: '2026-01-01T19:59:58+08:00',
  payer: { openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' },
  amount: { total: 7900, payer_total: 7900, currency: 'CNY', payer_currency: 'CNY' },
}
