import { createCipheriv, createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import { answerMessage } from '../signature.ts'
import { type KeyRamp, type PlatformState, randomText } from './platform-state.ts'
import type { RampReport } from './platform-types.ts'

/** Share of the notifications under the public key on each day of the change (protocol §2.3). */
const RAMP_SHARES = [0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 1] as const

const DAY_MS = 86_400_000

export const rampFromDayOne = ({ now }: PlatformState): KeyRamp => ({ passedMs: 0, at: now() })

/** The days run as much faster as the notification schedule does. */
export function rampNow(state: PlatformState): RampReport {
  const { ramp } = state
  if ('share' in ramp) return { day: null, share: ramp.share }
  const day = Math.min(Math.floor(passedMs(state, ramp) / DAY_MS), RAMP_SHARES.length - 1)
  return { day: day + 1, share: RAMP_SHARES[day] ?? 1 }
}

/** Changes how fast time runs from now on; what has passed of the seven days stays passed. */
export function changeSpeed(state: PlatformState, speed: number): void {
  const { ramp } = state
  if (!('share' in ramp)) state.ramp = { passedMs: passedMs(state, ramp), at: state.now() }
  state.scheduleSpeed = speed
}

const passedMs = (
  { now, scheduleSpeed }: PlatformState,
  { passedMs: before, at }: { passedMs: number; at: Date },
): number => before + (now().getTime() - at.getTime()) * scheduleSpeed

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

type ToSign = { body: Uint8Array; key: SigningKey; now: Date; faults?: SigningFaults }

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

type Sealed = { algorithm: string; nonce: string; associated_data: string; ciphertext: string }

/** Encrypts as the platform does (protocol §2.2, §5.1): AES-256-GCM, twelve characters of nonce, tag at the end. */
export function sealResource(
  plain: string,
  { apiV3Key, associatedData }: { apiV3Key: string; associatedData: string },
): Sealed {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(apiV3Key, 'utf8'), Buffer.from(nonce, 'utf8'))
  cipher.setAAD(Buffer.from(associatedData, 'utf8'))
  const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return {
    algorithm: 'AEAD_AES_256_GCM',
    nonce,
    associated_data: associatedData,
    ciphertext: ciphertext.toString('base64'),
  }
}
