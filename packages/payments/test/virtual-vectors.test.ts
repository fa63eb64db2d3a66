import { describe, expect, test } from 'vitest'
import { PaymentsError } from '../src/payments-error.ts'
import { failureOf } from './world/failure-of.ts'
import {
  derived,
  given,
  mustFail,
  official,
  pushed,
  type Vector,
  verdictsOf,
} from './world/virtual-vectors.ts'

const named = (vectors: readonly Vector[]) => vectors.map((vector) => [vector.name, vector] as const)

describe('vectors of virtual payment', () => {
  test.each(named([...official, ...derived]))('%s holds', (_, vector) => {
    const verdicts = verdictsOf(vector)
    expect(verdicts).not.toEqual([])
    expect(verdicts).not.toContain(false)
  })

  test('none is missing', () => {
    expect([official.length, derived.length, mustFail.length]).toEqual([6, 20, 21])
  })

  const pushes = mustFail.filter(({ query }) => query !== undefined)
  const signed = mustFail.filter(({ query }) => query === undefined)

  test.each(named(signed))('%s is refused', (_, vector) => {
    const verdicts = verdictsOf(vector)
    expect(verdicts).not.toEqual([])
    expect(verdicts).not.toContain(true)
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
