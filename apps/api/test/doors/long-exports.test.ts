import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { writeExport } from '../../src/doors/files/write-export.ts'
import { keepPiece, takeExport } from '../../src/exports/write-pieces.ts'
import { purgeExpired } from '../../src/retention/purge-expired.ts'
import { consoleToken, problemOf, signedInConsole, signInAnew } from '../world/console.ts'
import { doDueJobs } from '../world/do-jobs.ts'
import { openXlsx } from '../world/open-spreadsheet.ts'
import { plantOrders } from '../world/plant-orders.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
type Visitor = Awaited<ReturnType<typeof signedInConsole>>
let finance: Visitor
let other: Visitor
let owner: Visitor
let viewer: Visitor
const manyRows = 6_000

beforeAll(async () => {
  finance = await signedInConsole(world, { email: 'finance@example.com', role: 'finance' })
  other = await signedInConsole(world, { email: 'other@example.com', role: 'finance' })
  owner = await signedInConsole(world, { email: 'owner@example.com', role: 'owner' })
  viewer = await signedInConsole(world, { email: 'viewer@example.com', role: 'viewer' })
  await plantOrders(world, { count: manyRows })
})

const pool = () => world.services.database.pool
const start = async (who = finance, query: object = {}, format: 'csv' | 'xlsx' = 'csv') =>
  (await who.console.export.start.mutate({ list: 'orders', format, query: { ...query } })).id
const shown = async (id: string, who = finance) =>
  (await who.console.export.list.query()).items.find((row) => row.id === id)

async function download(id: string, who = finance) {
  const answer = await fetch(`${world.url}/console/exports/kept/${id}`, {
    method: 'POST',
    // As the console sends it on: without a body, and without a type of one.
    headers: { 'x-console-token': await consoleToken(world), authorization: `Bearer ${who.token}` },
  })
  return { status: answer.status, file: Buffer.from(await answer.arrayBuffer()) }
}
const rowsOf = (file: Buffer): string[][] =>
  parse(file.toString('utf8'), { bom: true, relax_column_count: true })
const audited = (action: string) =>
  world.query<{ subject_id: string; after: unknown }>(
    'SELECT subject_id, after FROM audit_entries WHERE action = $1 ORDER BY id DESC',
    [action],
  )

test('a list of more than 5,000 rows is written by a worker, says how far it is, and holds every row', async () => {
  const id = await start()
  expect(await shown(id)).toMatchObject({ state: 'waiting', list: 'orders', expected: manyRows, rows: 0 })
  expect((await download(id)).status).toBe(404)
  await doDueJobs(world)
  const done = await shown(id)
  expect(done).toMatchObject({ state: 'done', rows: manyRows, whole: true, isOwn: true })
  expect(done?.keptUntil.getTime()).toBe((done?.createdAt.getTime() ?? 0) + 86_400_000)
  const { file } = await download(id)
  expect(file.length).toBe(done?.bytes)
  const [heads, ...lines] = rowsOf(file)
  expect(heads?.[0]).toBe('订单号')
  expect(lines.pop()?.slice(0, 2)).toEqual([`共 ${manyRows} 行`, '由 finance@example.com 导出'])
  const stored = await world.query<{ number: string }>('SELECT out_trade_no AS number FROM orders')
  expect(new Set(lines.map(([number]) => number))).toEqual(
    new Set(stored.map(({ number }) => `="${number}"`)),
  )
  const [largest] = await world.query<{ bytes: number }>(
    'SELECT max(octet_length(bytes)) AS bytes FROM export_pieces',
  )
  expect(largest?.bytes).toBeLessThan(1024 * 1024)
  expect(await audited('export.start')).toMatchObject([{ subject_id: 'orders', after: { filter: {} } }])
  expect(await audited('export.finish')).toMatchObject([
    { subject_id: 'orders', after: { export: id, rows: manyRows, whole: true } },
  ])
  expect(await audited('export.download')).toMatchObject([{ subject_id: 'orders', after: { export: id } }])
})

test('whoever had a file written learns on every page how it is, and nobody else does', async () => {
  const filesOf = async (who = finance) => (await who.console.dashboard.waiting.query()).files
  const id = await start()
  expect((await filesOf())[0]).toEqual({ id, list: 'orders', format: 'csv', state: 'waiting' })
  await doDueJobs(world)
  expect((await filesOf())[0]).toMatchObject({ id, state: 'done' })
  expect(await filesOf(owner)).toEqual([])
})

test('a list is read no faster than its file is kept: a worker never holds more than three pages of it', async () => {
  const id = await start()
  const { reads } = world.services
  const ahead: number[] = []
  const read: typeof reads.read = async (prefers, page) => {
    const [kept] = await world.query<{ rows: number }>('SELECT rows FROM export_jobs WHERE id = $1', [id])
    // The names of plans are read first, and are no page.
    const alreadyRead = 1_000 * Math.max(0, ahead.length - 1)
    ahead.push(alreadyRead - (kept?.rows ?? 0))
    return reads.read(prefers, page)
  }
  await writeExport({ ...world.services, reads: { ...reads, read } }, id)
  expect(await shown(id)).toMatchObject({ state: 'done', rows: manyRows })
  expect(ahead).toHaveLength(1 + manyRows / 1_000)
  expect(Math.max(...ahead)).toBeLessThanOrEqual(3_000)
})

test('a workbook of as many rows opens', async () => {
  const id = await start(finance, {}, 'xlsx')
  await doDueJobs(world)
  expect(openXlsx((await download(id)).file)).toHaveLength(manyRows + 2)
})

test('a list narrowed to days is written as it was narrowed', async () => {
  const id = await start(finance, {
    from: new Date('2020-01-01T00:00:00Z'),
    to: new Date('2100-01-01T00:00:00Z'),
  })
  await doDueJobs(world)
  expect(await shown(id)).toMatchObject({ state: 'done', rows: manyRows, whole: true })
  const { file } = await download(id)
  expect(rowsOf(file).at(-1)?.[3]).toBe('筛选：创建时间：2020-01-01 08:00:00 至 2100-01-01 07:59:59')
})

test('a filter that another release kept ends the file, and the next one is written', async () => {
  const id = await start()
  await world.query(`UPDATE export_jobs SET query = '{"status": "paid"}' WHERE id = $1`, [id])
  await doDueJobs(world)
  expect(await shown(id)).toMatchObject({ state: 'failed', whole: false })
  const next = await start()
  await doDueJobs(world)
  expect(await shown(next)).toMatchObject({ state: 'done', rows: manyRows })
})

test('a list says how long it is to whom it may be given; others have none written', async () => {
  const length = (query: object) =>
    finance.console.export.length.query({ list: 'orders', query: { ...query } })
  expect(await length({})).toEqual({ count: manyRows, more: false })
  expect(await length({ status: 'refunded' })).toEqual({ count: 0, more: false })
  expect(await problemOf(viewer.console.export.length.query({ list: 'orders', query: {} }))).toBe('forbidden')
  expect(await problemOf(start(viewer))).toBe('forbidden')
  expect(await problemOf(start(finance, { status: 'nonsense' }))).toBe('invalid_request')
})

test('a file is for whoever asked and for an owner, while their role may take the list', async () => {
  const id = await start()
  await doDueJobs(world)
  expect((await download(id, other)).status).toBe(404)
  expect(await shown(id, other)).toBeUndefined()
  expect(await problemOf(other.console.export.cancel.mutate({ id }))).toBe('not_found')
  expect((await download(id, owner)).status).toBe(200)
  expect(await shown(id, owner)).toMatchObject({ isOwn: false, email: 'finance@example.com' })
  await world.query(`UPDATE operators SET role = 'viewer' WHERE email = 'finance@example.com'`)
  expect((await download(id)).status).toBe(403)
  await world.query(`UPDATE operators SET role = 'finance' WHERE email = 'finance@example.com'`)
})

test('a worker that dies leaves its file to another, which begins anew; what the dead one still writes is not kept', async () => {
  const id = await start()
  const dead = (await takeExport(pool(), id)) ?? expect.fail('nobody took it')
  expect(await keepPiece(pool(), dead, { seq: 1, bytes: Buffer.from('half'), rows: 100 })).toBe(true)
  expect(await shown(id)).toMatchObject({ state: 'running', rows: 100, bytes: 4 })
  await doDueJobs(world)
  expect(await keepPiece(pool(), dead, { seq: 99, bytes: Buffer.from('late'), rows: 200 })).toBe(false)
  expect(await shown(id)).toMatchObject({ state: 'done', rows: manyRows })
  expect(rowsOf((await download(id)).file)).toHaveLength(manyRows + 2)
})

test('a file that is cancelled is written no further, and nothing is left of it', async () => {
  const id = await start()
  const turn = (await takeExport(pool(), id)) ?? expect.fail('nobody took it')
  await keepPiece(pool(), turn, { seq: 1, bytes: Buffer.from('half'), rows: 100 })
  const { items } = await finance.console.export.cancel.mutate({ id })
  expect(items.find((row) => row.id === id)).toMatchObject({ state: 'cancelled' })
  expect(await keepPiece(pool(), turn, { seq: 2, bytes: Buffer.from('more'), rows: 200 })).toBe(false)
  await doDueJobs(world)
  expect(await shown(id)).toMatchObject({ state: 'cancelled' })
  expect(await world.query('SELECT 1 FROM export_pieces WHERE job_id = $1', [id])).toEqual([])
  expect((await download(id)).status).toBe(404)
  expect(await audited('export.cancel')).toMatchObject([{ subject_id: id }])
})

test('one file of one operator and two of all are waited for at most, however many are asked for at once', async () => {
  const own = await Promise.allSettled([start(), start(), start()])
  expect(own.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await start(other)).not.toBeNull()
  expect(await problemOf(start(owner))).toBe('rate_limited')
  await doDueJobs(world)
  expect(await start(owner)).not.toBeNull()
  await doDueJobs(world)
})

test('a file is gone after a day: nobody is given it any more, and the daily job deletes it', async () => {
  const id = await start()
  await doDueJobs(world)
  await world.passTime({ hours: 24, minutes: 1 })
  const later = await signInAnew(world, 'finance@example.com')
  expect((await download(id, later)).status).toBe(404)
  expect(await shown(id, later)).toBeUndefined()
  const { exports: gone } = await purgeExpired(pool())
  expect(gone).toBeGreaterThan(0)
  expect(await world.query('SELECT 1 FROM export_jobs WHERE id = $1', [id])).toEqual([])
  expect(await world.query('SELECT 1 FROM export_pieces WHERE job_id = $1', [id])).toEqual([])
})
