import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { answerMessage } from '../signature/messages.ts'
import { rampNow } from './key-ramp.ts'
import { type PlatformState, randomText } from './platform-state.ts'

export type SigningKey = { serial: string; privateKey: KeyObject }

const parsedKeys = new Map<string, KeyObject>()

function keyOf(pem: string): KeyObject {
  const known = parsedKeys.get(pem)
  if (known) return known
  const key = createPrivateKey(pem)
  parsedKeys.set(pem, key)
  return key
}

/** What names the platform's key and is signed with another: the merchant's, since making one takes long. */
export const forgedKey = ({ keys }: PlatformState, { serial }: SigningKey): SigningKey => ({
  serial,
  privateKey: keyOf(keys.merchant.privateKey),
})

const publicKeyOf = ({ keys }: PlatformState): SigningKey => ({
  serial: keys.publicKey.id,
  privateKey: keyOf(keys.publicKey.privateKey),
})

function certificateOf(state: PlatformState): SigningKey {
  const [newest] = state.keys.certificates
  if (!newest) return publicKeyOf(state)
  return { serial: newest.serial, privateKey: keyOf(newest.privateKey) }
}

/** An answer is signed by the key that the request names, once the change has begun (protocol §2.3). */
export function keyForAnswer(state: PlatformState, wantedSerial: string | undefined): SigningKey {
  if (state.keyMode === 'public_key') return publicKeyOf(state)
  const wantsPublicKey = wantedSerial === state.keys.publicKey.id
  return state.keyMode === 'mixed' && wantsPublicKey ? publicKeyOf(state) : certificateOf(state)
}

const WHOLE = 1_000_000

/** During the change the platform alone decides, moving an ever larger share of notifications over (protocol §2.3). */
export function keyForNotification(state: PlatformState): SigningKey {
  if (state.keyMode !== 'mixed') return keyForAnswer(state, undefined)
  // In whole millionths: a tenth ten times is one, which fractions would miss.
  state.rampDebt += Math.round(rampNow(state).share * WHOLE)
  if (state.rampDebt < WHOLE) return certificateOf(state)
  state.rampDebt -= WHOLE
  return publicKeyOf(state)
}

export type SigningFaults = {
  clockSkewSeconds?: number | undefined
  probe?: boolean | undefined
  serial?: string | undefined
}

export type ToSign = { body: Uint8Array; key: SigningKey; now: Date; faults?: SigningFaults }

/** The five signature headers of an answer or a notification (protocol §1.4), true or as the faults want them. */
export function signatureHeaders({ body, key, now, faults = {} }: ToSign): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000) + (faults.clockSkewSeconds ?? 0))
  const nonce = randomText(16)
  const signature = sign(
    'RSA-SHA256',
    Buffer.concat(answerMessage(timestamp, nonce, body)),
    key.privateKey,
  ).toString('base64')
  return {
    'Wechatpay-Timestamp': timestamp,
    'Wechatpay-Nonce': nonce,
    'Wechatpay-Signature': faults.probe ? `WECHATPAY/SIGNTEST/${signature.slice(19)}` : signature,
    'Wechatpay-Serial': faults.serial ?? key.serial,
    'Wechatpay-Signature-Type': 'WECHATPAY2-SHA256-RSA2048',
  }
}
