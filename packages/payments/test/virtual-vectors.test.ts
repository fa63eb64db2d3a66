import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { PaymentsError } from '../src/payments-error.ts'
import {
  openMessage,
  openPush,
  readAesKey,
  sealedAnswer,
  sealMessage,
  verifyAddress,
} from '../src/virtual/push.ts'
import {
  CLIENT_CALL,
  paySigOf,
  pushSignatureOf,
  sameSignature,
  userSignatureOf,
} from '../src/virtual/signatures.ts'
import { failureOf } from './world/failure-of.ts'

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

type Vector = z.infer<typeof Vector>

const file = new URL('./vectors/virtual-payment.json', import.meta.url)
const { official, derived, must_fail } = z
  .object({ official: z.array(Vector), derived: z.array(Vector), must_fail: z.array(Vector) })
  .parse(JSON.parse(readFileSync(file, 'utf8')))

/** A field that a vector of this kind must have. */
const given = <Value>(value: Value | undefined): Value => {
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
const pushed = (vector: Vector) => openPush(given(vector.query), envelopeOf(vector), keysOf(vector))

type Check = (vector: Vector) => void

/** Each claim that a vector can make, found by the fields it has. */
const claims: readonly (readonly [(vector: Vector) => boolean, Check])[] = [
  [
    ({ paySig, pay_sig }) => (paySig ?? pay_sig) !== undefined,
    (vector) => {
      const { app_key, uri, paySig, pay_sig } = vector
      const named = paySig === undefined ? given(uri) : CLIENT_CALL
      expect(
        sameSignature(paySigOf(given(app_key), named, signedText(vector)), given(paySig ?? pay_sig)),
      ).toBe(true)
    },
  ],
  [
    ({ session_key }) => session_key !== undefined,
    (vector) => {
      const ours = userSignatureOf(given(vector.session_key), signedText(vector))
      expect(sameSignature(ours, given(vector.signature))).toBe(true)
    },
  ],
  [
    ({ echostr }) => echostr !== undefined,
    (vector) => {
      const { signature, timestamp, nonce, echostr } = vector
      const query = { signature, timestamp: String(timestamp), nonce, echostr }
      expect(verifyAddress(query, keysOf(vector))).toBe(vector.answer_body)
    },
  ],
  [
    ({ name }) => name === 'official_plain_push',
    ({ token, timestamp, nonce, signature }) =>
      expect(pushSignatureOf([given(token), String(timestamp), given(nonce)])).toBe(signature),
  ],
  [
    ({ query }) => query !== undefined,
    (vector) => {
      const text = vector.decrypted?.msg ?? given(vector.plain)
      const opened = pushed(vector)
      expect(opened.text).toBe(text)
      if (text.startsWith('{')) expect(opened.message).toEqual(JSON.parse(text))
    },
  ],
  [
    ({ encrypt }) => encrypt !== undefined,
    (vector) => {
      const { encrypt, plain, msg, decrypted, random16 } = vector
      const text = given(msg ?? plain ?? decrypted?.msg)
      expect(openMessage(given(encrypt), keysOf(vector)).toString()).toBe(text)
      if (random16 !== undefined) {
        expect(sealMessage(text, keysOf(vector), Buffer.from(random16, 'latin1'))).toBe(encrypt)
      }
    },
  ],
  [
    ({ answer_body, encrypt }) => answer_body !== undefined && encrypt !== undefined,
    (vector) => {
      const at = { timestamp: Number(vector.timestamp), nonce: given(vector.nonce) }
      expect(sealedAnswer(given(vector.encrypt), keysOf(vector), at)).toBe(vector.answer_body)
    },
  ],
]

const named = (vectors: readonly Vector[]) => vectors.map((vector) => [vector.name, vector] as const)
const claimsOf = (vector: Vector) => claims.filter(([is]) => is(vector)).map(([, check]) => check)

describe('vectors of virtual payment', () => {
  test.each(named([...official, ...derived]))('%s holds', (_, vector) => {
    const checks = claimsOf(vector)
    expect(checks).not.toEqual([])
    for (const check of checks) check(vector)
  })

  test('none is missing', () => {
    expect([official.length, derived.length, must_fail.length]).toEqual([6, 20, 21])
  })

  const pushes = must_fail.filter(({ query }) => query !== undefined)
  const signed = must_fail.filter(({ query }) => query === undefined)

  test.each(named(signed))('%s is refused', (_, vector) => {
    const checks = claimsOf(vector)
    expect(checks).not.toEqual([])
    expect(checks.filter((check) => holds(check, vector))).toEqual([])
  })

  const reasons = {
    msg_signature: 'bad_signature',
    mode: 'headers_missing',
    APPID: 'undecryptable',
    PADDING: 'undecryptable',
    MSG_LEN: 'undecryptable',
    CIPHERTEXT_LENGTH: 'undecryptable',
  }
  test.each(named(pushes))('%s is refused where it fails', async (_, vector) => {
    const failure = await failureOf(PaymentsError, (async () => pushed(vector))())
    expect(Object.entries(reasons)).toContainEqual([vector.fails_at, failure.reason])
  })

  test('JSON and XML yield the same object, but for numbers, which XML has as text', () => {
    const [json, xml] = ['push_goods_deliver_json', 'push_goods_deliver_xml'].map(
      (name) => pushed(given(derived.find((vector) => vector.name === name))).message,
    )
    const asText = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value), (_, one) => (typeof one === 'number' ? String(one) : one))
    expect(xml).toEqual(asText(json))
  })
})

function holds(check: Check, vector: Vector): boolean {
  try {
    check(vector)
    return true
  } catch {
    return false
  }
}
