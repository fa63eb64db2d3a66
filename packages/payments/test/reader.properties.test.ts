import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apiV3KeyObject, decryptResource } from '../src/cipher.ts'
import { PaymentsError } from '../src/index.ts'
import { sealResource } from '../src/testing/sign-and-seal.ts'
import { anyText, numRuns, timeout } from './world/generated-cases.ts'
import { apiV3Key, aTransaction, type Received, read, sealed, signed } from './world/sealed-notification.ts'

/** Runs the reader and lets nothing but its own error through. */
function outcome(received: Parameters<typeof read>[0]): string {
  try {
    return read(received).kind
  } catch (error) {
    if (error instanceof PaymentsError) return error.reason
    throw error
  }
}

const bytes = fc.uint8Array({ maxLength: 2_000 }).map((array) => Buffer.from(array))

describe('whatever the platform writes', { timeout }, () => {
  it('any content survives encryption, signature and reading unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (content) => {
        const text = JSON.stringify(content)
        expect(read(sealed(text)).payload).toEqual(JSON.parse(text))
      }),
      { numRuns },
    )
  })

  it('any signed bytes pass the signature and fail only for what they say', () => {
    const afterSignature = new Set([
      'malformed_envelope',
      'unsupported_algorithm',
      'undecryptable',
      'malformed_payload',
    ])
    fc.assert(
      fc.property(bytes, (body) => afterSignature.has(outcome(signed(body)))),
      { numRuns },
    )
  })
})

/** Changes one bit of a header's text. */
function flipHeader(headers: Record<string, string>, name: string, bit: number): Record<string, string> {
  const value = headers[name] ?? ''
  const at = Math.floor(bit / 7) % value.length
  const code = value.charCodeAt(at) ^ (1 << (bit % 7))
  return { ...headers, [name]: value.slice(0, at) + String.fromCharCode(code) + value.slice(at + 1) }
}

function flipByte(buffer: Buffer, bit: number): Buffer {
  const copy = Buffer.from(buffer)
  const at = Math.floor(bit / 8) % copy.length
  copy[at] = copy.readUInt8(at) ^ (1 << (bit % 8))
  return copy
}

describe('whatever a stranger changes', { timeout }, () => {
  const original: Received = sealed(JSON.stringify(aTransaction), 'TRANSACTION.SUCCESS')
  const position = fc.nat({ max: 1_000_000 })

  it('the original is a payment', () => {
    expect(outcome(original)).toBe('payment')
  })

  it('one bit of the body is noticed', () => {
    fc.assert(
      fc.property(
        position,
        (bit) => outcome({ ...original, body: flipByte(original.body, bit) }) === 'bad_signature',
      ),
      { numRuns },
    )
  })

  const headerNames = Object.keys(original.headers)
  it('one bit of any signature header is noticed', () => {
    const refusals = new Set(['bad_signature', 'stale', 'unknown_serial', 'headers_missing'])
    fc.assert(
      fc.property(fc.constantFrom(...headerNames), position, (name, bit) =>
        refusals.has(outcome({ ...original, headers: flipHeader(original.headers, name, bit) })),
      ),
      { numRuns },
    )
  })

  it('moving the border between nonce and body is noticed', () => {
    fc.assert(
      fc.property(fc.nat({ max: original.body.length - 1 }), (length) => {
        const nonce = `${original.headers['wechatpay-nonce']}\n${original.body.subarray(0, length).toString('latin1')}`
        const headers = { ...original.headers, 'wechatpay-nonce': nonce }
        return outcome({ headers, body: original.body.subarray(length) }) === 'headers_missing'
      }),
      { numRuns: Math.min(numRuns, 2_000) },
    )
  })

  const key = [apiV3KeyObject(apiV3Key)]
  const resource = { ...sealResource('{"a":1}', { apiV3Key, associatedData: 'transaction' }) }
  const plainResource = {
    ciphertext: resource.ciphertext,
    nonce: resource.nonce,
    associatedData: 'transaction',
  }

  it('one bit of nonce or associated data opens nothing', () => {
    fc.assert(
      fc.property(fc.constantFrom('nonce', 'associatedData'), position, (name, bit) => {
        const changed = { ...plainResource, ...flipHeader({ [name]: plainResource[name] }, name, bit) }
        return decryptResource(changed, key) === null
      }),
      { numRuns },
    )
  })

  it('one bit of ciphertext or tag opens nothing, nor does another spelling of the same bytes', () => {
    const sealedBytes = Buffer.from(plainResource.ciphertext, 'base64')
    fc.assert(
      fc.property(position, fc.boolean(), (bit, ofText) => {
        const { ciphertext } = ofText
          ? { ciphertext: flipHeader({ it: plainResource.ciphertext }, 'it', bit)['it'] ?? '' }
          : { ciphertext: flipByte(sealedBytes, bit).toString('base64') }
        return decryptResource({ ...plainResource, ciphertext }, key) === null
      }),
      { numRuns },
    )
  })
})

describe('whatever is sent to the reader', { timeout }, () => {
  const names = ['timestamp', 'nonce', 'signature', 'serial', 'signature-type'].map(
    (name) => `wechatpay-${name}`,
  )
  const headerValue = fc.oneof(anyText, fc.constant(undefined), fc.array(anyText, { maxLength: 3 }))
  const refusedBeforeReading = new Set([
    'headers_missing',
    'stale',
    'unknown_serial',
    'bad_signature',
    'probe',
  ])
  const headers = fc.dictionary(fc.oneof(fc.constantFrom(...names), anyText), headerValue)

  it('strange headers and bytes end in its own error', () => {
    fc.assert(
      fc.property(headers, bytes, (bag, body) => refusedBeforeReading.has(outcome({ headers: bag, body }))),
      { numRuns },
    )
  })

  const value = fc.oneof(fc.jsonValue(), anyText, fc.constant('AEAD_AES_256_GCM'))
  const strangeResource = fc.record(
    { algorithm: value, ciphertext: value, nonce: value, associated_data: value },
    { requiredKeys: [] },
  )
  const strangeEnvelope = fc.record(
    {
      id: value,
      event_type: value,
      create_time: value,
      summary: value,
      resource: fc.oneof(value, strangeResource),
    },
    { requiredKeys: [] },
  )

  it('strange envelopes that are truly signed end in its own error', () => {
    fc.assert(
      fc.property(strangeEnvelope, (envelope) => {
        const reason = outcome(signed(Buffer.from(JSON.stringify(envelope), 'utf8')))
        return ['malformed_envelope', 'unsupported_algorithm', 'undecryptable'].includes(reason)
      }),
      { numRuns },
    )
  })

  const field = fc.constantFrom(...Object.keys(aTransaction))
  it('strange contents that are truly encrypted never become a payment that lacks something', () => {
    fc.assert(
      fc.property(field, fc.oneof(fc.jsonValue(), anyText), (name, strange) => {
        const received = sealed(JSON.stringify({ ...aTransaction, [name]: strange }), 'TRANSACTION.SUCCESS')
        if (outcome(received) !== 'payment') return true
        const notification = read(received)
        if (notification.kind !== 'payment') return false
        const { outTradeNo, transactionId, amountFen, currency, appId, mchId, paidAt } = notification.payment
        const texts = [outTradeNo, transactionId, currency, appId, mchId]
        return (
          texts.every((text) => text !== '') &&
          Number.isSafeInteger(amountFen) &&
          !Number.isNaN(paidAt.getTime())
        )
      }),
      { numRuns },
    )
  })
})

describe('the time that reading takes', { timeout }, () => {
  const SHORT = 8 * 1024
  const TIMES_LONGER = 64
  // Four times what is in proportion, which is a sixteenth of what the square would be.
  const ALLOWANCE = 4
  const LEAST_MEASURED_MS = 0.05

  const envelope = (resource: object) => Buffer.from(JSON.stringify({ id: 'a', resource }))
  const payment = (fields: object) =>
    sealed(JSON.stringify({ ...aTransaction, ...fields }), 'TRANSACTION.SUCCESS')
  const shapes: [string, (length: number) => Received][] = [
    ['brackets', (length) => signed(Buffer.alloc(length, '['))],
    ['no text', (length) => signed(Buffer.alloc(length, 0xff))],
    ['an id without end', (length) => signed(Buffer.from(`{"id":"${'a'.repeat(length)}`))],
    ['one name again and again', (length) => signed(Buffer.from(`{${'"a":1,'.repeat(length / 6)}"b":1}`))],
    ['ciphertext of equals signs', (length) => signed(envelope({ ciphertext: '='.repeat(length) }))],
    ['a ciphertext that nothing opens', (length) => signed(envelope({ ciphertext: 'A'.repeat(length) }))],
    ['a sealed nothing', (length) => sealed(' '.repeat(length))],
    ['sealed brackets', (length) => sealed('['.repeat(length / 8) + ']'.repeat(length / 8))],
    ['a sealed number', (length) => sealed('9'.repeat(length))],
    ['sealed escapes', (length) => sealed(`"${'\\u0041'.repeat(length / 6)}"`)],
    ['a payment with a long number', (length) => payment({ transaction_id: '4'.repeat(length) })],
    [
      'a payment at a long time',
      (length) => payment({ success_time: `2026-01-01T19:59:58.${'5'.repeat(length)}Z` }),
    ],
    ['a payment with many more fields', (length) => payment(manyFields(length / 16))],
    ['a signature of many', (length) => withHeader('wechatpay-signature', 'A'.repeat(length))],
    ['a nonce of many', (length) => withHeader('wechatpay-nonce', 'a'.repeat(length))],
    ['a serial of many', (length) => withHeader('wechatpay-serial', 'A'.repeat(length))],
    // 5,000 headers at the longest, none of which can be found without looking at the names of all.
    ['headers of many', (length) => withHeaders((5_000 / TIMES_LONGER) * (length / SHORT))],
  ]

  const manyFields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`field_${at}`, 'x']))
  const plain = payment({})
  const withHeader = (name: string, value: string): Received => ({
    ...plain,
    headers: { ...plain.headers, [name]: value },
  })
  const withHeaders = (count: number): Received => {
    const shouted = Object.entries(plain.headers).map(([name, value]) => [name.toUpperCase(), value])
    return { ...plain, headers: { ...manyFields(count), ...Object.fromEntries(shouted) } }
  }

  /** Of this process alone, however busy the machine is; the least of some tries. */
  function leastCpuMs(received: Received): number {
    const times = Array.from({ length: 7 }, () => {
      const before = process.cpuUsage()
      outcome(received)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    })
    return Math.min(...times)
  }

  it.each(shapes)('grows with the length and no faster: %s', (_, shape) => {
    const short = leastCpuMs(shape(SHORT))
    const long = leastCpuMs(shape(SHORT * TIMES_LONGER))
    expect(long).toBeLessThan(ALLOWANCE * TIMES_LONGER * Math.max(short, LEAST_MEASURED_MS))
  })

  it('was measured through to the content, not to a refusal on the way', () => {
    const reached = shapes.map(([name, shape]) => [name, outcome(shape(SHORT))])
    expect(Object.fromEntries(reached)).toMatchObject({
      'a sealed nothing': 'malformed_payload',
      'sealed brackets': 'unknown',
      'a sealed number': 'unknown',
      'sealed escapes': 'unknown',
      'a payment with a long number': 'malformed_payload',
      'a payment at a long time': 'malformed_payload',
      'a payment with many more fields': 'payment',
      'headers of many': 'payment',
    })
  })
})
