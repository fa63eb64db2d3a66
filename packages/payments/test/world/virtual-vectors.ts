import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import {
  type OpenedPush,
  openMessage,
  openPush,
  readAesKey,
  sealedAnswer,
  sealMessage,
  verifyAddress,
} from '../../src/virtual/push.ts'
import {
  CLIENT_CALL,
  paySigOf,
  pushSignatureOf,
  sameSignature,
  userSignatureOf,
} from '../../src/virtual/signatures.ts'

const text = z.string().optional()
const Vector = z.object({
  name: z.string(),
  uri: text,
  body: text,
  app_key: text,
  session_key: text,
  message: text,
  signData: text,
  paySig: text,
  pay_sig: text,
  signature: text,
  msg_signature: text,
  token: text,
  timestamp: z.union([z.string(), z.number()]).optional(),
  nonce: text,
  echostr: text,
  encoding_aes_key: text,
  appid: text,
  encrypt: text,
  random16: text,
  plain: text,
  pad: z.number().optional(),
  query: z.record(z.string(), z.string()).optional(),
  decrypted: z.object({ msg: z.string() }).optional(),
  msg: text,
  answer_body: text,
  fails_at: text,
})

export type Vector = z.infer<typeof Vector>

const file = new URL('../vectors/virtual-payment.json', import.meta.url)
/** What WeChat printed, what was derived from it, and what must be refused (virtual payment §6.2). */
export const {
  official,
  derived,
  must_fail: mustFail,
} = z
  .object({ official: z.array(Vector), derived: z.array(Vector), must_fail: z.array(Vector) })
  .parse(JSON.parse(readFileSync(file, 'utf8')))

/** A field that a vector of this kind must have. */
export const given = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('the vector lacks a field')
  return value
}

/** What is signed: the text that the client hands over, or the body of a server's call. */
const signedText = ({ signData, body, message }: Vector) => given(signData ?? body ?? message)
const keysOf = ({ token = 'none', encoding_aes_key, appid = '' }: Vector) => ({
  token,
  aesKey: readAesKey(encoding_aes_key ?? 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG'),
  appId: appid,
})
const envelopeOf = ({ encrypt, body }: Vector) =>
  Buffer.from(encrypt === undefined ? given(body) : JSON.stringify({ ToUserName: 'gh_1', Encrypt: encrypt }))

/** What an open push says, read by the road of production. */
export const pushed = (vector: Vector): OpenedPush =>
  openPush(given(vector.query), envelopeOf(vector), keysOf(vector))

/** A claim that a vector can make, found by the fields it has: whether it holds. Reading what is refused throws. */
type Claim = (vector: Vector) => boolean

const claims: readonly (readonly [(vector: Vector) => boolean, Claim])[] = [
  [
    ({ paySig, pay_sig }) => (paySig ?? pay_sig) !== undefined,
    (vector) => {
      const { app_key, uri, paySig, pay_sig } = vector
      const named = paySig === undefined ? given(uri) : CLIENT_CALL
      return sameSignature(paySigOf(given(app_key), named, signedText(vector)), given(paySig ?? pay_sig))
    },
  ],
  [
    ({ session_key }) => session_key !== undefined,
    (vector) =>
      sameSignature(userSignatureOf(given(vector.session_key), signedText(vector)), given(vector.signature)),
  ],
  [
    ({ echostr }) => echostr !== undefined,
    (vector) => {
      const { signature, timestamp, nonce, echostr } = vector
      const query = { signature, timestamp: String(timestamp), nonce, echostr }
      return verifyAddress(query, keysOf(vector)) === vector.answer_body
    },
  ],
  [
    ({ name }) => name === 'official_plain_push',
    ({ token, timestamp, nonce, signature }) =>
      pushSignatureOf([given(token), String(timestamp), given(nonce)]) === signature,
  ],
  [
    ({ query }) => query !== undefined,
    (vector) => {
      const text = vector.decrypted?.msg ?? given(vector.plain)
      const opened = pushed(vector)
      const isRead = !text.startsWith('{') || isDeepStrictEqual({ ...opened.message }, JSON.parse(text))
      return opened.text === text && isRead
    },
  ],
  [
    ({ encrypt }) => encrypt !== undefined,
    (vector) => {
      const { encrypt, plain, msg, decrypted, random16 } = vector
      const text = given(msg ?? plain ?? decrypted?.msg)
      const isOpened = openMessage(given(encrypt), keysOf(vector)).toString() === text
      const random = random16 === undefined ? null : Buffer.from(random16, 'latin1')
      return isOpened && (random === null || sealMessage(text, keysOf(vector), random) === encrypt)
    },
  ],
  [
    ({ answer_body, encrypt }) => answer_body !== undefined && encrypt !== undefined,
    (vector) => {
      const at = { timestamp: Number(vector.timestamp), nonce: given(vector.nonce) }
      return sealedAnswer(given(vector.encrypt), keysOf(vector), at) === vector.answer_body
    },
  ],
]

/** Whether each claim of a vector holds; what is refused while it is read does not. */
export const verdictsOf = (vector: Vector): boolean[] =>
  claims.filter(([is]) => is(vector)).map(([, claim]) => holds(claim, vector))

function holds(claim: Claim, vector: Vector): boolean {
  try {
    return claim(vector)
  } catch {
    return false
  }
}
