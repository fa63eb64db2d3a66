import { readFile } from 'node:fs/promises'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { plantKey } from '../world/api-key.ts'
import { hire, signInAnew } from '../world/console.ts'
import { call } from '../world/phone.ts'
import { startReceiver } from '../world/receiver.ts'
import { connectReceiver, sendDueEvents } from '../world/send-events.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const email = 'owner@example.com'
beforeAll(() => hire(world, { email, role: 'owner' }))
afterEach(() => world.query('UPDATE webhook_endpoints SET deleted_at = business_now()'))

/** Something of each table that events are collected from. */
async function makeFacts(serial: string): Promise<void> {
  const phone = await world.phone()
  await phone.buysAndPays()
  await phone.call('/devices/bind', { method: 'POST', body: { serial_number: serial } })
}
const types = ['device.bound', 'order.paid', 'subscription.changed'] as const

test('an endpoint is told nothing of before it, also where that is collected later', async () => {
  await makeFacts('TW-0001')
  await world.passTime({ days: 3 })
  await using receiver = await startReceiver()
  const { console: owner } = await signInAnew(world, email)
  await connectReceiver(owner, receiver, [...types])
  await sendDueEvents(world)
  expect(receiver.received).toEqual([])
  await makeFacts('TW-0002')
  await sendDueEvents(world)
  expect(receiver.received.map(({ event }) => event.type).sort()).toEqual(types)
})

test('a release that had no events begins them where it stands, and goes on where they have begun', async () => {
  const folder = new URL(
    '../../../../packages/db/prisma/migrations/20261130110000_begin_events_here/',
    import.meta.url,
  )
  const migrate = async () => world.query(await readFile(new URL('migration.sql', folder), 'utf8'))
  await makeFacts('TW-0003')
  await world.query(`DELETE FROM watermarks WHERE name LIKE 'told\\_%'`)
  await world.query('DELETE FROM events')
  await migrate()
  const token = await plantKey(world, ['events:read'])
  const polled = async () => {
    const { body } = await call(`${world.url}/api/v1/integration/events`, { token })
    return (body as { items: { type: string }[] }).items.map(({ type }) => type).sort()
  }
  await sendDueEvents(world)
  expect(await polled()).toEqual([])
  await makeFacts('TW-0004')
  await migrate()
  await sendDueEvents(world)
  expect(await polled()).toEqual(types)
})
