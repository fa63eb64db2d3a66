import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ReceivedNotification } from '../src/index.ts'
import { anOrder, openWorld, type World } from './world/world.ts'

describe('a kept notification, read again', () => {
  let world: World
  /** A process that has lost the key since then. */
  let keyless: World
  let received: ReceivedNotification
  let older: { id: string; pem: string }[]
  const receivedAt = new Date()

  beforeAll(async () => {
    world = await openWorld({ keyMode: 'certificate', settings: { downloadKeys: true } })
    keyless = await openWorld({ keyMode: 'certificate', settings: { platformKeys: [], downloadKeys: true } })
    const order = anOrder()
    await world.payments.prepay(order)
    await world.platform.pay(order.outTradeNo, { silent: true })
    const { headers, body } = world.platform.notification(order.outTradeNo)
    received = { headers, body: Buffer.from(body) }
    older = world.payments.keyReport().keys.map(({ id, pem }) => ({ id, pem }))
  })
  afterAll(() => Promise.all([world.close(), keyless.close()]))

  const reasonOf = (reread: () => unknown): unknown => {
    try {
      return reread()
    } catch (error) {
      return error instanceof Error && 'reason' in error ? error.reason : error
    }
  }

  it('is judged by the moment it came, not by the clock of today', () => {
    const { payments } = world
    expect(payments.rereadNotification(received, { receivedAt })).toMatchObject({ kind: 'payment' })
    const hour = 3_600_000
    for (const off of [-hour, hour])
      expect(
        reasonOf(() =>
          payments.rereadNotification(received, { receivedAt: new Date(receivedAt.getTime() + off) }),
        ),
      ).toBe('stale')
  })

  it('verifies with a key that has left the ring, and keeps it out of the ring', () => {
    const { payments } = keyless
    expect(reasonOf(() => payments.rereadNotification(received, { receivedAt }))).toBe('unknown_serial')
    expect(payments.rereadNotification(received, { receivedAt, olderKeys: older }).kind).toBe('payment')
    expect(payments.keyReport().keys).toEqual([])
  })

  it('is refused when a byte differs', () => {
    const body = Buffer.from(received.body)
    body[10] = (body[10] ?? 0) ^ 1
    expect(reasonOf(() => world.payments.rereadNotification({ ...received, body }, { receivedAt }))).toBe(
      'bad_signature',
    )
  })
})
