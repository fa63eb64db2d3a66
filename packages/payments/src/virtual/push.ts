import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { XMLParser } from 'fast-xml-parser'
import { z } from 'zod'
import { strictBase64 } from '../cipher.ts'
import { PaymentsError } from '../payments-error.ts'
import { parseJson } from '../read-fields.ts'
import { pushSignatureOf, sameSignature } from './signatures.ts'

/** Of a message push: the two keys of the console, and the mini-program that messages must be for. */
export type PushKeys = { token: string; aesKey: Buffer; appId: string }

const CIPHER = 'aes-256-cbc'
const CIPHER_BLOCK = 16
/** Messages are padded to this, and not to the block of the cipher (virtual payment §4.2). */
const PADDED_TO = 32
const RANDOM_BYTES = 16
const LENGTH_BYTES = 4

/** The key behind an EncodingAESKey; its last character may carry surplus bits (virtual payment §4.2). */
export const readAesKey = (encodingAesKey: string): Buffer => Buffer.from(`${encodingAesKey}=`, 'base64')

/**
 * Opens a sealed message: AES-256-CBC, PKCS#7 to 32 bytes, 16 random bytes, the length, the message, the app id
 * (virtual payment §4.2). Call it only after the signature held.
 * @throws PaymentsError `undecryptable`, with what did not hold
 */
export function openMessage(sealed: string, { aesKey, appId }: PushKeys): Buffer {
  const plain = withoutPadding(decrypt(sealed, aesKey))
  const from = RANDOM_BYTES + LENGTH_BYTES
  if (plain.length < from) throw undecryptable('too short')
  const to = from + plain.readUInt32BE(RANDOM_BYTES)
  if (to > plain.length) throw undecryptable('length beyond the end')
  if (plain.toString('utf8', to) !== appId) throw undecryptable('another app id')
  return plain.subarray(from, to)
}

/** Seals a message as the platform does (virtual payment §4.2); `random` is 16 bytes. */
export function sealMessage(message: string, { aesKey, appId }: PushKeys, random = randomBytes(16)): string {
  const text = Buffer.from(message, 'utf8')
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(text.length)
  const plain = Buffer.concat([random, length, text, Buffer.from(appId, 'utf8')])
  const pad = PADDED_TO - (plain.length % PADDED_TO)
  const cipher = createCipheriv(CIPHER, aesKey, aesKey.subarray(0, CIPHER_BLOCK)).setAutoPadding(false)
  const padded = Buffer.concat([plain, Buffer.alloc(pad, pad)])
  return Buffer.concat([cipher.update(padded), cipher.final()]).toString('base64')
}

function decrypt(sealed: string, aesKey: Buffer): Buffer {
  const bytes = strictBase64(sealed)
  if (bytes === null || bytes.length === 0 || bytes.length % CIPHER_BLOCK !== 0) {
    throw undecryptable('length of the sealed text')
  }
  const decipher = createDecipheriv(CIPHER, aesKey, aesKey.subarray(0, CIPHER_BLOCK)).setAutoPadding(false)
  return Buffer.concat([decipher.update(bytes), decipher.final()])
}

/** Node's own unpadding knows blocks of 16 only; here up to 32 bytes are padding, and all are checked. */
function withoutPadding(padded: Buffer): Buffer {
  const pad = padded.at(-1) ?? 0
  const end = padded.length - pad
  const holds = pad >= 1 && pad <= PADDED_TO && end >= 0 && padded.subarray(end).every((byte) => byte === pad)
  if (!holds) throw undecryptable('padding')
  return padded.subarray(0, end)
}

const undecryptable = (about: string) => new PaymentsError('undecryptable', { about, advice: 'give_up' })

/** What stands in the address of a push; of a parameter given twice nothing is known. */
export type PushQuery = Readonly<Record<string, unknown>>

const parameter = z.string().min(1).max(256)
const Verification = z.object({
  signature: parameter,
  timestamp: parameter,
  nonce: parameter,
  echostr: parameter,
})
const SafeMode = z.object({
  encrypt_type: z.literal('aes'),
  msg_signature: parameter,
  timestamp: parameter,
  nonce: parameter,
})

/**
 * What to answer, unchanged, when the platform asks whether the address is ours (virtual payment §4.1).
 * @throws PaymentsError `headers_missing` or `bad_signature`
 */
export function verifyAddress(query: PushQuery, { token }: PushKeys): string {
  const asked = Verification.safeParse(query)
  if (!asked.success) throw new PaymentsError('headers_missing')
  const { signature, timestamp, nonce, echostr } = asked.data
  if (!sameSignature(pushSignatureOf([token, timestamp, nonce]), signature))
    throw new PaymentsError('bad_signature')
  return echostr
}

/** A message as text, and as an object: the same one whether it came as JSON or as XML, where every value is text. */
export type OpenedPush = { text: string; message: Readonly<Record<string, unknown>> }

/**
 * Opens a push in safe mode: signature over the sealed text first, then decryption, then our app id (virtual payment
 * §4.1, §4.2). A body in clear is refused: its signature would not cover it. Nothing says how old a push may be, since
 * a repetition may keep its timestamp; who acts on it must know its number.
 * @throws PaymentsError `headers_missing` (not in safe mode), `malformed_envelope`, `bad_signature`, `undecryptable` or
 * `malformed_payload`
 */
export function openPush(query: PushQuery, body: Uint8Array, keys: PushKeys): OpenedPush {
  const safe = SafeMode.safeParse(query)
  if (!safe.success) throw new PaymentsError('headers_missing', { about: 'not in safe mode' })
  const { msg_signature: signature, timestamp, nonce } = safe.data
  const envelope = Envelope.safeParse(readObject(body))
  if (!envelope.success) throw new PaymentsError('malformed_envelope')
  const sealed = envelope.data.Encrypt
  if (!sameSignature(pushSignatureOf([keys.token, timestamp, nonce, sealed]), signature)) {
    throw new PaymentsError('bad_signature')
  }
  const opened = openMessage(sealed, keys)
  const message = Message.safeParse(readObject(opened))
  if (!message.success) throw new PaymentsError('malformed_payload')
  return { text: opened.toString('utf8'), message: message.data }
}

const Envelope = z.object({ Encrypt: z.string().min(1) })
const Message = z.record(z.string(), z.unknown())

/** A sealed answer: only what is more than `success` is sealed (virtual payment §4.2, assumption in §9). */
export function sealAnswer(answer: object, keys: PushKeys, at: { now: Date; nonce: string }): string {
  const sealed = sealMessage(JSON.stringify(answer), keys)
  return sealedAnswer(sealed, keys, { timestamp: Math.floor(at.now.getTime() / 1000), nonce: at.nonce })
}

/** The four fields around a sealed answer (virtual payment §4.2). */
export function sealedAnswer(
  sealed: string,
  { token }: PushKeys,
  { timestamp, nonce }: { timestamp: number; nonce: string },
): string {
  const MsgSignature = pushSignatureOf([token, String(timestamp), nonce, sealed])
  return JSON.stringify({ Encrypt: sealed, MsgSignature, TimeStamp: timestamp, Nonce: nonce })
}

const xml = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  parseTagValue: false,
  processEntities: false,
})

const LESS_THAN = 0x3c

/** An object from JSON or from `<xml>…</xml>`, told apart by the first character; undefined where it is neither. */
function readObject(bytes: Uint8Array): unknown {
  if (bytes.find((byte) => byte > 0x20) !== LESS_THAN) return parseJson(bytes)
  const text = Buffer.from(bytes).toString('utf8')
  // No message has one; entities could make it grow or read what is not its own.
  if (text.includes('<!DOCTYPE') || text.includes('<!ENTITY')) return undefined
  try {
    return Document.parse(xml.parse(text, true)).xml
  } catch {
    return undefined
  }
}

const Document = z.strictObject({ xml: z.unknown() })
