import { openPool } from '@meridian/db'
import { parse } from 'csv-parse/sync'
import superjson from 'superjson'
import { beforeAll, describe, expect, test } from 'vitest'
import { consoleToken, problemOf, signedInConsole } from '../world/console.ts'
import { plantOrders } from '../world/plant-orders.ts'
import { untilWaiting } from '../world/until-waiting.ts'
import { useTestWorld } from '../world/use-opened.ts'

const lines: string[] = []
const world = useTestWorld({ log: (line) => lines.push(line) })
type Visitor = Awaited<ReturnType<typeof signedInConsole>>
let finance: Visitor
let operator: Visitor
let viewer: Visitor

beforeAll(async () => {
  finance = await signedInConsole(world, { email: 'finance@example.com', role: 'finance' })
  operator = await signedInConsole(world, { email: 'operator@example.com', role: 'operator' })
  viewer = await signedInConsole(world, { email: 'viewer@example.com', role: 'viewer' })
})

type Ask = {
  name?: string
  format?: 'csv' | 'xlsx'
  query?: object
  token?: string | null
  language?: string
  signal?: AbortSignal
}

async function take({
  name = 'orders',
  format = 'csv',
  query = {},
  token = finance.token,
  language = 'en',
  signal,
}: Ask = {}) {
  return fetch(`${world.url}/console/exports/${name}?format=${format}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'accept-language': language,
      'x-console-token': await consoleToken(world),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: superjson.stringify(query),
    ...(signal && { signal }),
  })
}

const rowsOf = (text: string): string[][] => parse(text, { bom: true, relax_column_count: true })
const audited = (action: string) =>
  world.query<{ subject_id: string; after: unknown }>(
    'SELECT subject_id, after FROM audit_entries WHERE action = $1 ORDER BY id DESC',
    [action],
  )

describe('an export', () => {
  test('is the whole filtered list, page after page, and equals what SQL says', async () => {
    await plantOrders(world, { count: 2300, planCode: 'many', together: 7, amountFen: '1000 + n' })
    await plantOrders(world, { count: 3, planCode: 'few' })
    const answer = await take({ query: { planCode: 'many' } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="orders.csv"')
    const text = await answer.text()
    const [head, ...lines] = rowsOf(text)
    expect(head?.slice(0, 5)).toEqual(['Order number', 'Status', 'Plan code', 'Plan', 'Amount (yuan)'])
    const stored = await world.query<{ out_trade_no: string; yuan: string }>(
      `SELECT out_trade_no, to_char(amount_fen / 100.0, 'FM999990.00') AS yuan FROM orders WHERE plan_code = 'many'
       ORDER BY created_at DESC, id DESC`,
    )
    expect(lines.slice(0, -1).map((line) => [line[0], line[4]])).toEqual(
      stored.map(({ out_trade_no, yuan }) => [`="${out_trade_no}"`, yuan]),
    )
    expect(lines.at(-1)?.[0]).toBe('Rows: 2300')
    expect(lines.at(-1)?.[1]).toBe('Exported by finance@example.com')
    expect(lines.at(-1)?.[3]).toBe('Filter: Plan code: many')
  })

  test('opens as Unicode in a spreadsheet and runs no formula there', async () => {
    await plantOrders(world, { count: 1, planCode: '=1+1' })
    const bytes = Buffer.from(
      await (await take({ query: { planCode: '=1+1' }, language: 'zh-CN' })).arrayBuffer(),
    )
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const [head, line] = rowsOf(bytes.toString())
    expect(head?.[0]).toBe('订单号')
    expect(line?.slice(2, 4)).toEqual(["'=1+1", "'=1+1"])
  })

  test('goes on record before its first line and after its last, with filter and count', async () => {
    await (await take({ query: { planCode: 'few', from: new Date('2026-01-01T00:00:00Z') } })).text()
    const filter = { planCode: 'few', from: '2026-01-01T00:00:00.000Z', sort: 'newest' }
    expect((await audited('export.start'))[0]).toEqual({ subject_id: 'orders', after: { filter } })
    expect((await audited('export.finish'))[0]).toEqual({
      subject_id: 'orders',
      after: { filter, rows: 3, whole: true },
    })
  })

  test('that is broken off says so on record', async () => {
    const before = (await audited('export.finish')).length
    const stop = new AbortController()
    const answer = await take({ signal: stop.signal })
    await answer.body?.getReader().read()
    stop.abort()
    await expect.poll(async () => (await audited('export.finish')).length).toBe(before + 1)
  })

  test.each(['csv', 'xlsx'] as const)(
    'that twenty break off at once before its first line is on record from beginning to end (%s)',
    async (format) => {
      const kept = async () => [
        (await audited('export.start')).length,
        (await audited('export.finish')).length,
      ]
      const [started = 0, finished = 0] = await kept()
      const gate = openPool(world.behindGate, { maxConnections: 1 })
      const connection = await gate.connect()
      await connection.query('BEGIN; LOCK TABLE audit_entries IN ACCESS EXCLUSIVE MODE')
      const stop = new AbortController()
      const arrived = new Promise<void>((resolve) => {
        let requests = 0
        world.app.server.on('request', () => {
          requests += 1
          if (requests === 20) resolve()
        })
      })
      const broken = Array.from({ length: 20 }, () =>
        take({ format, signal: stop.signal }).catch(() => 'broken off'),
      )
      await arrived
      await untilWaiting(world, 3)
      stop.abort()
      expect(new Set(await Promise.all(broken))).toEqual(new Set(['broken off']))
      await connection.query('COMMIT')
      connection.release()
      await gate.end()
      await expect.poll(kept).toEqual([started + 20, finished + 20])
      const ends = await audited('export.finish')
      expect(ends.slice(0, 20).map(({ after }) => after)).toEqual(
        Array.from({ length: 20 }, () => expect.objectContaining({ rows: 0, whole: false })),
      )
      // Who leaves is no fault of ours: nobody is called for it.
      expect(lines.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
    },
  )

  test.each(['refunds', 'subscriptions', 'users', 'devices'])('exists for %s', async (name) => {
    const answer = await take({ name })
    expect(answer.status).toBe(200)
    const rows = rowsOf(await answer.text())
    expect(rows.length).toBeGreaterThanOrEqual(2)
    expect(rows.at(-1)?.[1]).toBe('Exported by finance@example.com')
  })

  test('is nothing for a viewer, an operator, a stranger, another list or a filter that is none', async () => {
    const codeOf = async (ask: Ask) => {
      const answer = await take(ask)
      return [answer.status, Object(await answer.json()).code]
    }
    expect(await codeOf({ token: viewer.token })).toEqual([403, 'forbidden'])
    expect(await codeOf({ token: operator.token, name: 'users' })).toEqual([403, 'forbidden'])
    expect(await codeOf({ token: null })).toEqual([401, 'unauthenticated'])
    expect(await codeOf({ name: 'secrets' })).toEqual([404, 'not_found'])
    expect(await codeOf({ query: { status: 'lost' } })).toEqual([400, 'invalid_request'])
    const stranger = await fetch(`${world.url}/console/exports/orders`, { method: 'POST' })
    expect(stranger.status).toBe(404)
  })
})

describe('saved views', () => {
  const view = { page: 'orders', name: '大额', query: 'min_fen=20000', everybody: false }
  const names = async ({ console }: Visitor) =>
    (await console.view.list.query({ page: 'orders' })).items.map(({ name, mine }) => `${name} ${mine}`)

  test('are kept for oneself, replaced under the same name, and taken away', async () => {
    await viewer.console.view.save.mutate(view)
    const { items } = await viewer.console.view.save.mutate({ ...view, query: 'min_fen=30000' })
    expect(items).toEqual([
      {
        id: expect.any(String),
        name: '大额',
        query: 'min_fen=30000',
        everybody: false,
        mine: true,
        ownerEmail: 'viewer@example.com',
      },
    ])
    expect(await names(finance)).toEqual([])
    const id = items[0]?.id ?? ''
    expect(await problemOf(finance.console.view.remove.mutate({ id }))).toBe('not_found')
    await viewer.console.view.remove.mutate({ id })
    expect(await names(viewer)).toEqual([])
    expect(await audited('view.remove')).toHaveLength(1)
  })

  test('are shared with everybody by who may work here, and only there', async () => {
    const shared = { ...view, name: '异常', everybody: true }
    expect(await problemOf(viewer.console.view.save.mutate(shared))).toBe('forbidden')
    const { items } = await finance.console.view.save.mutate(shared)
    expect(await names(viewer)).toEqual(['异常 false'])
    expect((await viewer.console.view.list.query({ page: 'refunds' })).items).toEqual([])
    const id = items[0]?.id ?? ''
    expect(await problemOf(viewer.console.view.remove.mutate({ id }))).toBe('not_found')
    await finance.console.view.remove.mutate({ id })
  })

  test('take another name and are shared by their owner alone, and never the name of another of theirs', async () => {
    await finance.console.view.save.mutate(view)
    const { items } = await finance.console.view.save.mutate({ ...view, name: '小额' })
    const id = items.find(({ name }) => name === '小额')?.id ?? ''
    const edit = { id, name: '中额', everybody: true }
    for (const who of [operator, viewer])
      expect(await problemOf(who.console.view.edit.mutate({ ...edit, everybody: false }))).toBe('not_found')
    expect(await problemOf(viewer.console.view.edit.mutate(edit))).toBe('forbidden')
    expect(await problemOf(finance.console.view.edit.mutate({ ...edit, name: view.name }))).toBe(
      'invalid_request',
    )
    await finance.console.view.edit.mutate(edit)
    expect(await names(viewer)).toEqual(['中额 false'])
    expect(await audited('view.edit')).toMatchObject([{ subject_id: id, after: { name: '中额' } }])
    for (const { id } of items) await finance.console.view.remove.mutate({ id })
  })

  test('are thirty of one list at most', async () => {
    for (let n = 0; n < 30; n++) await viewer.console.view.save.mutate({ ...view, name: `view ${n}` })
    expect(await problemOf(viewer.console.view.save.mutate(view))).toBe('invalid_request')
    await viewer.console.view.save.mutate({ ...view, name: 'view 3', query: '' })
  })
})
