import { MOST_WEBHOOK_ENDPOINTS } from '@meridian/contracts'
import { afterEach, describe, expect, test } from 'vitest'
import { countOlder, rekeyColumn } from '../../src/platform/crypto/data-keys.ts'
import { postWith } from '../../src/platform/network/post-message.ts'
import { sealedColumns } from '../../src/startup/start-checks.ts'
import { plantKey } from '../world/api-key.ts'
import { failureOf, problemOf } from '../world/console.ts'
import { call, codeOf } from '../world/phone.ts'
import { startReceiver } from '../world/receiver.ts'
import { connectReceiver, sendDueEvents } from '../world/send-events.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const earnest = useTestWorld({ payments: 'off' })
const owner = useConsole(world, 'owner')
const ownerInEarnest = useConsole(earnest, 'owner')
const operator = useConsole(world, 'operator')

afterEach(() => world.query('UPDATE webhook_endpoints SET deleted_at = now()'))

const wanted = { url: 'https://127.0.0.1/hook?token=receiver-token', description: 'crm', types: [] }
const create = (url: string, console = owner) => console.webhooks.create.mutate({ ...wanted, url })
const auditOf = (id: string) =>
  world.query<{ action: string; text: string }>(
    `SELECT action, to_jsonb(a)::text AS text FROM audit_entries a WHERE subject_type = 'webhook' AND subject_id = $1 ORDER BY id`,
    [id],
  )

describe('an endpoint', () => {
  test('is made, shown, edited, switched, rotated and removed, each with its trace and without its secrets', async () => {
    const { id, secret } = await create(wanted.url)
    const { secret: second } = await owner.webhooks.rotate.mutate({ id })
    expect(new Set([secret, second]).size).toBe(2)
    await owner.webhooks.edit.mutate({ ...wanted, id, description: 'call centre', types: ['order.paid'] })
    await owner.webhooks.switch.mutate({ id, enabled: false })
    expect(await owner.webhooks.get.query({ id })).toMatchObject({
      url: wanted.url,
      description: 'call centre',
      types: ['order.paid'],
      state: 'off',
      createdBy: 'owner@example.com',
      previousSecretUntil: expect.any(Date),
    })
    await owner.webhooks.switch.mutate({ id, enabled: true })
    await owner.webhooks.switch.mutate({ id, enabled: true }, { context: { changesNothing: true } })
    expect((await owner.webhooks.list.query({})).items.map((row) => [row.id, row.state])).toEqual([
      [id, 'active'],
    ])
    await owner.webhooks.remove.mutate({ id })
    expect((await owner.webhooks.list.query({})).items).toEqual([])
    expect(await problemOf(owner.webhooks.get.query({ id }))).toBe('not_found')
    const trace = await auditOf(id)
    expect(trace.map(({ action }) => action)).toEqual([
      'webhook.create',
      'webhook.rotate',
      'webhook.edit',
      'webhook.disable',
      'webhook.enable',
      'webhook.remove',
    ])
    const kept = await world.query(`SELECT to_jsonb(e)::text AS text FROM webhook_endpoints e`)
    for (const hidden of [secret, second, secret.slice(6, 20)])
      expect(JSON.stringify([trace, kept])).not.toContain(hidden)
    expect(JSON.stringify(trace)).not.toContain('receiver-token')
  })

  test('is the affair of owners alone', async () => {
    const { id } = await create(wanted.url)
    const refused = [
      operator.webhooks.list.query({}),
      operator.webhooks.get.query({ id }),
      operator.webhooks.deliveries.query({ id }),
      operator.webhooks.create.mutate(wanted),
      operator.webhooks.rotate.mutate({ id }),
      operator.webhooks.test.mutate({ id }),
      operator.webhooks.remove.mutate({ id }),
    ]
    expect(await Promise.all(refused.map(problemOf))).toEqual(refused.map(() => 'forbidden'))
  })

  test('is refused where its address is inside, and told why', async () => {
    const { code, problem } = await failureOf(create('https://10.0.0.1/hook'))
    expect([code, problem.code]).toEqual(['BAD_REQUEST', 'invalid_request'])
    expect(problem.errors).toEqual([{ path: 'url', message: '必须是公网地址' }])
    const { id } = await create(wanted.url)
    expect(await problemOf(owner.webhooks.edit.mutate({ ...wanted, id, url: 'https://[fd00::1]/' }))).toBe(
      'invalid_request',
    )
  })

  test('of this machine and without encryption is for sandboxes', async () => {
    await create('http://127.0.0.1:9/hook')
    await create('http://localhost:9/hook')
    for (const url of ['http://127.0.0.1:9/hook', 'https://localhost/hook', 'http://example.com/hook'])
      expect([url, await problemOf(create(url, ownerInEarnest))]).toEqual([url, 'invalid_request'])
  })

  test('there are so many at most, and types that are known, each once', async () => {
    const failing = (change: object) => problemOf(owner.webhooks.create.mutate({ ...wanted, ...change }))
    expect(await failing({ types: ['order.lost'] })).toBe('invalid_request')
    expect(await failing({ types: ['order.paid', 'order.paid'] })).toBe('invalid_request')
    expect(await failing({ description: '' })).toBe('invalid_request')
    await world.query(
      `INSERT INTO webhook_endpoints (id, url, description, types, sealed_secret, created_by)
       SELECT gen_random_uuid(), 'https://example.com', 'many', '{}', '', (SELECT id FROM operators LIMIT 1)
       FROM generate_series(1, $1)`,
      [MOST_WEBHOOK_ENDPOINTS],
    )
    expect(await failing({})).toBe('invalid_request')
    await world.query(`DELETE FROM webhook_endpoints WHERE description = 'many'`)
  })

  test('whose name leads inside by the time it is called is not called', async () => {
    const message = { url: 'https://localhost:9/hook', method: 'POST', body: '{}' } as const
    await expect(postWith('public')(message)).rejects.toMatchObject({ name: 'NotPublicError' })
    const inside = { ...message, url: 'https://10.0.0.1/hook' }
    await expect(postWith('loopback')(inside)).rejects.toMatchObject({ name: 'NotPublicError' })
  })
})

test('secrets are sealed, and sealed again under a new DATA_KEY with everything else', async () => {
  const { pool } = world.services.database
  const { id } = await create(wanted.url)
  await owner.webhooks.rotate.mutate({ id })
  const rotating = ['a new key of thirty-two characters!!', ...world.config.DATA_KEY] as const
  const mine = sealedColumns.filter(({ what }) => what.startsWith('webhook secrets'))
  expect(mine).toHaveLength(2)
  for (const column of mine) expect(await rekeyColumn(pool, rotating, column)).toBeGreaterThan(0)
  expect((await countOlder(pool, rotating, mine)).byPlace.map(({ count }) => count)).toEqual([0])
})

describe('who polls', () => {
  const events = (token: string, query = '') =>
    call(`${world.url}/api/v1/integration/events${query}`, { token })

  test('takes the same events page by page, in order, and goes on from the last', async () => {
    const key = await plantKey(world, ['events:read'])
    await using receiver = await startReceiver()
    await connectReceiver(owner, receiver)
    const phone = await world.phone()
    for (let at = 0; at < 3; at++) await phone.buysAndPays()
    await sendDueEvents(world)
    const pages: { id: string; type: string; data: { seq: number } }[][] = []
    let page = await events(key, '?limit=4')
    for (;;) {
      const { items, has_more: hasMore } = page.body as { items: (typeof pages)[number]; has_more: boolean }
      pages.push(items)
      if (!hasMore) break
      page = await events(key, `?limit=4&after=${items.at(-1)?.id}`)
    }
    expect(pages.map(({ length }) => length)).toEqual([4, 2])
    const polled = pages.flat()
    expect(new Set(polled.map(({ id }) => id))).toEqual(new Set(receiver.received.map(({ id }) => id)))
    expect(polled.filter(({ type }) => type === 'subscription.changed').map(({ data }) => data.seq)).toEqual([
      1, 2, 3,
    ])
    for (const { id, ...event } of polled)
      expect(receiver.received.find((one) => one.id === id)?.event).toEqual(event)
    const after = await events(key, `?after=${polled.at(-1)?.id}`)
    expect(after.body).toEqual({ items: [], has_more: false })
    await phone.buysAndPays()
    await sendDueEvents(world)
    expect((await events(key, `?after=${polled.at(-1)?.id}`)).body).toMatchObject({
      items: [{}, {}],
      has_more: false,
    })
  })

  test('is refused without the scope, with an event that is not kept and beyond a hundred', async () => {
    const key = await plantKey(world, ['events:read'])
    expect(codeOf(await events(await plantKey(world, ['orders:read'])))).toBe('forbidden')
    expect(codeOf(await events(key, '?after=evt_nothing'))).toBe('invalid_request')
    expect(codeOf(await events(key, '?limit=101'))).toBe('invalid_request')
  })
})
