import {
  constants,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  privateDecrypt,
  X509Certificate,
} from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiV3KeyObject, decryptResource, encryptField, LONGEST_FIELD_BYTES } from '../src/cipher.ts'
import { openCertificates } from '../src/key-ring/refresh-keys.ts'
import { notificationReader } from '../src/notification/read-notification.ts'
import { authorization } from '../src/send-once.ts'
import {
  answerMessage,
  paymentParamsMessage,
  readSignatureHeaders,
  requestMessage,
  sign,
  signatureHolds,
  verifySigned,
} from '../src/signature.ts'
import { given, readVectors, type Vector } from './world/vectors.ts'

const official = readVectors('official-docs-signing')
const java = readVectors('java-sdk')
const go = readVectors('go-sdk')
const oaep = readVectors('apache-httpclient-oaep')
const axios = readVectors('axios-plugin-aes')
const derived = readVectors('derived-end-to-end')

const all = [official, java, go, oaep, axios].flatMap(({ vectors, key }) =>
  vectors.map((vector) => ({ vector, key })),
)
const ofKind = (...kinds: string[]) =>
  all
    .filter(({ vector }) => kinds.includes(vector.kind))
    .map(({ vector, key }) => [vector.id, vector, key] as const)

const utf8 = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString('utf8'))

const RequestInput = z.object({
  method: z.string(),
  url: z.string().optional(),
  full_url: z.string().optional(),
  timestamp: z.string(),
  nonce_str: z.string(),
  body: z.string(),
})

function requestInput(vector: Vector) {
  if (Array.isArray(vector.input)) {
    const [method = '', target = '', timestamp = '', nonce = '', body = ''] = vector.input
    return { method, target, timestamp, nonce, body }
  }
  const { url, full_url, nonce_str: nonce, ...rest } = RequestInput.parse(vector.input)
  const parsed = new URL(full_url ?? url ?? '', 'https://api.mch.weixin.qq.com')
  return { ...rest, nonce, target: parsed.pathname + parsed.search }
}

/** Verifies a whole message by taking it apart again, so that the road is the one of production. */
function verifies(vector: Vector, pem: string): boolean {
  const [timestamp = '', nonce = '', ...rest] = given(vector.message).split('\n')
  const body = Buffer.from(rest.join('\n').replace(/\n$/, ''), 'utf8')
  const headers: Record<string, string> = {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-serial': 'KEY',
    'wechatpay-signature': signatureOf(vector),
  }
  try {
    const signed = readSignatureHeaders((name) => headers[name])
    verifySigned(signed, body, {
      keyFor: () => createPublicKey(pem),
      now: new Date(Number(timestamp) * 1000),
    })
    return given(vector.message).endsWith('\n')
  } catch {
    return false
  }
}

const InputHeaders = z.object({ headers: z.object({ 'Wechatpay-Signature': z.string() }) })
const signatureOf = (vector: Vector) =>
  vector.signature_base64 ??
  InputHeaders.safeParse(vector.input).data?.headers['Wechatpay-Signature'] ??
  z.object({ signature_base64: z.string() }).parse(vector.input).signature_base64

describe('what is signed', () => {
  it.each(ofKind('request-message', 'request-signature'))('%s: the five lines of a request', (_, vector) => {
    expect(requestMessage(requestInput(vector))).toBe(vector.message)
  })

  it.each(ofKind('request-signature'))('%s: the signature of a request', async (_, vector, key) => {
    const signature = await sign(given(vector.message), createPrivateKey(key(vector.key)))
    expect(signature).toBe(vector.signature_base64)
  })

  it.each(ofKind('rsa-sha256-sign'))('%s: the signature of a message', async (_, vector, key) => {
    expect(await sign(given(vector.message), createPrivateKey(key(vector.key)))).toBe(vector.signature_base64)
  })

  it.each(ofKind('pay-sign'))('%s: the signature of payment params', async (id, vector, key) => {
    const Params = z.object({ appId: z.string(), timeStamp: z.string(), nonceStr: z.string() })
    const params = Params.parse(vector.input)
    const prepayId = 'wx201410272009395522657a690389285100'
    const message = paymentParamsMessage({ ...params, package: `prepay_id=${prepayId}` })
    const signature = await sign(message, createPrivateKey(key(vector.key)))
    // The native-app flow signs the bare number; ours must differ from it.
    if (id === 'paysign-app') expect(signature).not.toBe(vector.signature_base64)
    else expect([message, signature]).toEqual([vector.message, vector.signature_base64])
  })

  it.each(ofKind('response-message'))('%s: the three lines of an answer', (_, vector) => {
    const Input = z.object({ timestamp: z.string(), nonce: z.string(), body: z.string() })
    const { timestamp, nonce, body } = Array.isArray(vector.input)
      ? { timestamp: vector.input[0] ?? '', nonce: vector.input[1] ?? '', body: vector.input[2] ?? '' }
      : Input.parse(vector.input)
    expect(utf8(Buffer.concat(answerMessage(timestamp, nonce, Buffer.from(body))))).toBe(vector.message)
  })

  it.each(ofKind('request-uri'))('%s: the address is signed exactly as it is sent', (_, vector) => {
    const { uri } = z.object({ uri: z.string() }).parse(vector.input)
    const url = new URL(uri, 'https://api.mch.weixin.qq.com')
    expect(url.pathname + url.search).toBe(vector.expected_signed_url)
  })

  it.each(ofKind('authorization-header'))('%s: the Authorization header', (_, vector) => {
    const parts = authorization({ mchId: '1', nonce: '2', signature: '3', timestamp: '4', serialNo: '5' })
    const pairs = (header: string) => header.replace('WECHATPAY2-SHA256-RSA2048 ', '').split(',').sort()
    expect(pairs(parts)).toEqual(pairs(String(vector.expected)))
  })
})

describe('what is verified', () => {
  it.each(ofKind('response-verification'))('%s', (_, vector, key) => {
    const body = vector.message ?? z.object({ message: z.string() }).parse(vector.input).message
    expect(verifies({ ...vector, message: body }, key(vector.key))).toBe(vector.expected)
  })

  it.each(ofKind('rsa-sha256-verify'))('%s', (id, vector, key) => {
    const held = createPublicKey(key(vector.key))
    const message = Buffer.from(given(vector.message), 'utf8')
    // This one is refused because nobody has such a key, whatever the signature says.
    const found =
      id === 'verify-unknown-serial' ? new Map<string, typeof held>().get(vector.serial ?? '') : held
    const holds = found !== undefined && signatureHolds([message], given(vector.signature_base64), found)
    expect(holds).toBe(vector.expected)
  })
})

describe('what is decrypted', () => {
  const decrypt = (vector: Vector) =>
    decryptResource(
      {
        ciphertext: given(vector.ciphertext_base64),
        nonce: given(vector.nonce),
        associatedData: given(vector.associated_data),
      },
      [apiV3KeyObject(given(vector.api_v3_key))],
    )

  it.each(ofKind('aes-256-gcm'))('%s', (_, vector) => {
    expect(utf8(decrypt(vector))).toBe(vector.expected_error ? null : vector.plaintext)
  })

  it.each(ofKind('aes-128-gcm', 'aes-gcm'))('%s: a key of another length opens nothing', (_, vector) => {
    expect(decrypt(vector)).toBeNull()
  })

  it('tries the previous key after the newest while they rotate', () => {
    const vector = java.vectors.find(({ id }) => id === 'aead-decrypt')
    if (!vector) throw new Error('no such vector')
    const resource = {
      ciphertext: given(vector.ciphertext_base64),
      nonce: given(vector.nonce),
      associatedData: given(vector.associated_data),
    }
    const keys = ['0'.repeat(32), given(vector.api_v3_key)].map(apiV3KeyObject)
    expect(utf8(decryptResource(resource, keys))).toBe(vector.plaintext)
  })

  it.each(ofKind('rsa-oaep-sha1-mgf1sha1'))('%s: sensitive fields use OAEP with SHA-1', (_, vector, key) => {
    const decryptField = (oaepHash: string, ciphertext: string) =>
      utf8(privateDecrypt({ key: key(vector.key), oaepHash }, Buffer.from(ciphertext, 'base64')))
    if (vector.expected_error) {
      expect(() => decryptField('sha1', given(vector.ciphertext_base64))).toThrow()
      return
    }
    expect(decryptField('sha1', given(vector.ciphertext_base64))).toBe(vector.plaintext)
    expect(() => decryptField('sha256', given(vector.ciphertext_base64))).toThrow()
    const ours = encryptField(given(vector.plaintext), createPublicKey(key(vector.key)))
    expect(decryptField('sha1', ours)).toBe(vector.plaintext)
  })

  it.each(ofKind('rsa-oaep-limit'))('%s: 214 bytes fit, 215 do not', (_, vector) => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    expect(LONGEST_FIELD_BYTES).toBe(vector.max_plaintext_bytes)
    expect(encryptField('x'.repeat(214), publicKey)).toHaveLength(344)
    expect(() => encryptField('x'.repeat(215), publicKey)).toThrow(RangeError)
  })

  it.each(ofKind('platform-certificates'))('%s: downloaded certificates', (id, vector) => {
    const answer = JSON.parse(given(vector.response_body))
    const keys = openCertificates(answer, [apiV3KeyObject(given(vector.api_v3_key))])
    if (id.endsWith('aes128')) return expect(keys).toBeNull()
    const Expected = z.object({ serial_no: z.string(), certificate_pem: z.string() })
    const expected = Expected.parse(vector.expected)
    expect(keys?.[0]?.id).toBe(expected.serial_no)
    expect(new X509Certificate(keys?.[0]?.pem ?? '').fingerprint256).toBe(
      new X509Certificate(expected.certificate_pem).fingerprint256,
    )
  })
})

describe('whole notifications', () => {
  const serials = new Map([
    [
      'PUB_KEY_ID_0112345678902024090900000000000001',
      createPublicKey(derived.key('wechatpay_public_key_pem')),
    ],
    ['440024045C4A427599D09BB4E3DE0279F2E813FD', createPublicKey(derived.key('wechatpay_certificate_pem'))],
  ])
  const reasons: Record<string, string> = {
    'signtest-probe-same-length': 'probe',
    'signtest-probe-bad-base64-length': 'probe',
    'clock-too-old': 'stale',
    'clock-too-new': 'stale',
    'unknown-serial': 'unknown_serial',
    'missing-signature-header': 'headers_missing',
    'tampered-ciphertext-resigned-body': 'undecryptable',
  }

  it.each(derived.vectors.filter(({ kind }) => kind === 'notification').map((v) => [v.id, v] as const))(
    '%s',
    (id, vector) => {
      const secrets = {
        keyFor: (serial: string) => serials.get(serial),
        apiV3Keys: [apiV3KeyObject(derived.key('api_v3_key'))],
      }
      const read = notificationReader(secrets, () => new Date((vector.now_unix ?? 0) * 1000))
      const received = { headers: vector.headers ?? {}, body: Buffer.from(given(vector.body), 'utf8') }
      const { accept, resource_plaintext: plaintext } = z
        .object({ accept: z.boolean(), resource_plaintext: z.string().optional() })
        .parse(vector.expected)
      if (accept) expect(read(received).payload).toEqual(JSON.parse(given(plaintext)))
      else expect(() => read(received)).toThrow(expect.objectContaining({ reason: reasons[id] }))
    },
  )

  it('the answer to a close, which has no body, verifies', () => {
    const vector = derived.vectors.find(({ kind }) => kind === 'response-verification')
    const headers = new Headers(vector?.headers)
    const signed = readSignatureHeaders((name) => headers.get(name) ?? undefined)
    const trust = { keyFor: (serial: string) => serials.get(serial), now: new Date(1767225601_000) }
    expect(() => verifySigned(signed, new Uint8Array(), trust)).not.toThrow()
  })

  it('a notification of another product verifies with its certificate; its short key opens nothing', () => {
    const vector = go.vectors.find(({ id }) => id === 'notification-full')
    if (!vector) throw new Error('no such vector')
    const key = createPublicKey(go.key(vector.key))
    const secrets = { keyFor: () => key, apiV3Keys: [apiV3KeyObject(given(vector.api_v3_key))] }
    const read = notificationReader(secrets, () => new Date((vector.now_unix ?? 0) * 1000))
    const received = { headers: vector.headers ?? {}, body: Buffer.from(given(vector.body), 'utf8') }
    expect(() => read(received)).toThrow(expect.objectContaining({ reason: 'undecryptable' }))
  })
})

describe('what the published vectors hold besides', () => {
  it.each(ofKind('rsa-pkcs1v15-decrypt'))('%s: the old padding opens with the same key', (_, vector, key) => {
    const cipher = Buffer.from(given(vector.ciphertext_base64), 'base64')
    const padded = privateDecrypt({ key: key(vector.key), padding: constants.RSA_NO_PADDING }, cipher)
    // 00 02, eight or more bytes that are not zero, 00, the text (RFC 8017 §7.2.2).
    expect([...padded.subarray(0, 2)]).toEqual([0, 2])
    expect(utf8(padded.subarray(padded.indexOf(0, 2) + 1))).toBe(vector.plaintext)
  })

  it.each(ofKind('digest'))('%s: the digests of bills', (_, vector) => {
    const digest = (algorithm: string) => createHash(algorithm).update(given(vector.message)).digest('hex')
    expect([digest('sha1'), digest('sha256')]).toEqual([vector.sha1_hex, vector.sha256_hex])
  })
})

it('no vector is left out', () => {
  const used = [
    'request-message',
    'request-signature',
    'rsa-sha256-sign',
    'pay-sign',
    'response-message',
    'request-uri',
    'authorization-header',
    'response-verification',
    'rsa-sha256-verify',
    'aes-256-gcm',
    'aes-128-gcm',
    'aes-gcm',
    'rsa-oaep-sha1-mgf1sha1',
    'rsa-oaep-limit',
    'platform-certificates',
    'notification',
    'rsa-pkcs1v15-decrypt',
    'digest',
  ]
  const left = all.filter(({ vector }) => !used.includes(vector.kind)).map(({ vector }) => vector.id)
  expect(left).toEqual([])
})
