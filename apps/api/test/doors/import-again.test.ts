import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ImportAnswer, ImportReport } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { beforeAll, describe, expect, test } from 'vitest'
import { importFile } from '../../src/imports/import-file.ts'
import { beginImport, beginTurn, endTurn } from '../../src/imports/keep-import.ts'
import { stageFile } from '../../src/imports/stage-file.ts'
import { purgeExpired } from '../../src/retention/purge-expired.ts'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { newSystem, type System } from '../world/api-key.ts'
import { consoleToken, problemOf, signedInConsole } from '../world/console.ts'
import { doDueJobs } from '../world/do-jobs.ts'
import { call } from '../world/phone.ts'
import { somebody } from '../world/somebody.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let owner: Awaited<ReturnType<typeof signedInConsole>>
let system: System
beforeAll(async () => {
  owner = await signedInConsole(world, { email: 'owner@example.com', role: 'owner' })
  system = await newSystem(world, owner.console, { scopes: ['imports:write', 'orders:read'] })
})

const pool = () => world.services.database.pool
const head = 'source,source_id,openid,days'
const fileOf = (name: string, count = 2) =>
  `${head}\n${Array.from({ length: count }, (_, n) => `shop,${name}-${n},${name}_${n},30\n`).join('')}`
const send = async (body: string, query = '?kind=subscribers') => {
  const headers = { 'content-type': 'text/csv' }
  const path = `${world.url}/api/v1/integration/imports${query}`
  return ImportAnswer.parse((await call(path, { method: 'POST', token: system.key, headers, body })).body).id
}
const reportOf = async (id: string) => ImportReport.parse((await system.get(`/imports/${id}`)).body)

async function* piecesOf(text: string) {
  yield Buffer.from(text)
}
const begun = (text: string) =>
  beginImport(pool(), {
    kind: 'subscribers',
    dryRun: false,
    digest: createHash('sha256').update(text).digest(),
    bytes: text.length,
    by: null,
  })

describe('a file that is sent again', () => {
  test('goes on where its job was given up', async () => {
    const file = fileOf('given-up')
    const id = await send(file)
    await world.query(
      `SELECT graphile_worker.permanently_fail_jobs(ARRAY(SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'take_import'), 'gave up')`,
    )
    await doDueJobs(world)
    expect(await reportOf(id)).toMatchObject({ state: 'waiting' })
    expect(await send(file)).toBe(id)
    await doDueJobs(world)
    expect(await reportOf(id)).toMatchObject({ state: 'done', users: 2, days: 60 })
  })

  test('is read by the import that a command began and left without a file', async () => {
    const file = fileOf('left')
    const id = await begun(file)
    await beginTurn(pool(), id)
    expect(await send(file)).toBe(id)
    await doDueJobs(world)
    expect(await reportOf(id)).toMatchObject({ state: 'done', users: 2 })
  })
})

describe('two processes at one file', () => {
  test('give everybody their days once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'meridian-import-'))
    const file = join(folder, 'twice.csv')
    await writeFile(file, fileOf('twice', 2_500))
    const run = () => importFile(world.services, { file, kind: 'subscribers', dryRun: false })
    const ends = await Promise.all([run(), run()])
    await rm(folder, { recursive: true })
    expect(ends.some(({ state }) => state === 'done')).toBe(true)
    const kept = await world.query(
      `SELECT count(*)::int AS entries, count(DISTINCT g.user_id)::int AS users FROM grants g JOIN users u ON u.id = g.user_id WHERE u.openid LIKE 'twice\\_%'`,
    )
    expect(kept).toEqual([{ entries: 2_500, users: 2_500 }])
    expect((await verifyLedger(pool())).differences).toEqual([])
  })

  test('leave it to the one that began last', async () => {
    const text = fileOf('turns')
    const id = await begun(text)
    const early = await beginTurn(pool(), id)
    const late = await beginTurn(pool(), id)
    const held = { id, kind: 'subscribers' } as const
    expect(await stageFile(world.services, { ...held, turn: early ?? 0 }, piecesOf(text))).toBeNull()
    expect(await stageFile(world.services, { ...held, turn: late ?? 0 }, piecesOf(text))).toMatchObject({
      lines: 2,
    })
    expect(await endTurn(pool(), { id, turn: early ?? 0 }, Prisma.sql`state = 'writing'`)).toBe(false)
  })
})

test('an erasure takes the name of each line, and no import brings the person back', async () => {
  const { phone } = await somebody(world)
  const file = `${head}\nshop,erased-1,${phone.openid},30\n`
  await send(file)
  await doDueJobs(world)
  const erased = await phone.call('/me', {
    method: 'DELETE',
    body: { confirm: 'DELETE', code: world.platform.loginCode(phone.openid) },
  })
  expect(erased.status).toBe(204)
  expect(await world.query(`SELECT 1 FROM import_lines WHERE source_id = 'erased-1'`)).toHaveLength(0)
  const again = await send(file)
  await doDueJobs(world)
  expect(await reportOf(again)).toMatchObject({ state: 'done', users: 0, days: 0 })
  expect(await world.query('SELECT 1 FROM users WHERE openid = $1', [phone.openid])).toHaveLength(0)
})

test('an imported order says so to its customer and to other systems', async () => {
  const { phone } = await somebody(world)
  const columns = 'source,source_id,openid,plan_code,amount_fen,out_trade_no,paid_at'
  await send(
    `${columns}\nshop,told-1,${phone.openid},monthly,2900,TOLD-1,2026-11-01T08:00:00Z\n`,
    '?kind=orders',
  )
  await doDueJobs(world)
  const order = { out_trade_no: 'TOLD-1', status: 'paid', imported: true }
  expect((await phone.call('/subscription/orders')).body).toMatchObject({ items: [order] })
  expect((await phone.call('/subscription/orders/TOLD-1')).body).toMatchObject({ order })
  expect((await system.get('/orders/TOLD-1')).body).toMatchObject({ order })
})

describe('in the console', () => {
  const upload = async (body: string, who = owner, query = 'kind=subscribers&dryRun=false') => {
    const answer = await fetch(`${world.url}/console/imports/files?fileName=people.csv&${query}`, {
      method: 'POST',
      headers: {
        'x-console-token': await consoleToken(world),
        authorization: `Bearer ${who.token}`,
        'content-type': 'text/csv',
      },
      body,
    })
    const answered: unknown = await answer.json()
    return { status: answer.status, id: ImportAnswer.safeParse(answered).data?.id ?? '' }
  }

  test('an owner brings a file, sees what became of it and takes it back, which is on record', async () => {
    const { status, id } = await upload(fileOf('console'))
    expect(status).toBe(202)
    await doDueJobs(world)
    const { items } = await owner.console.import.list.query()
    expect(items.find((row) => row.id === id)).toMatchObject({
      state: 'done',
      fileName: 'people.csv',
      broughtBy: 'owner@example.com',
      users: 2,
    })
    await owner.console.import.undo.mutate({ id })
    expect(await owner.console.import.show.query({ id })).toMatchObject({ state: 'done', isUndoAsked: true })
    await doDueJobs(world)
    expect(await owner.console.import.show.query({ id })).toMatchObject({
      state: 'undone',
      isUndoAsked: false,
    })
    const entries = await world.query(
      `SELECT action FROM audit_entries WHERE subject_type = 'import' AND subject_id = $1 ORDER BY id`,
      [id],
    )
    expect(entries).toEqual([{ action: 'import.start' }, { action: 'import.undo' }])
    expect(await problemOf(owner.console.import.undo.mutate({ id }))).toBe('changed_meanwhile')
  })

  test('an import whose people have moved on says so and stays', async () => {
    const { phone } = await somebody(world)
    const { id } = await upload(`${head}\nshop,moved-1,${phone.openid},30\n`)
    await doDueJobs(world)
    await phone.buysAndPays('monthly')
    await owner.console.import.undo.mutate({ id })
    await doDueJobs(world)
    expect(await owner.console.import.show.query({ id })).toMatchObject({
      state: 'done',
      isUndoAsked: false,
      obstacles: [{ line: 2, why: 'later_ledger_entry' }],
    })
  })

  test('nobody but an owner brings files or sees them, and nothing but a CSV is one', async () => {
    const finance = await signedInConsole(world, { email: 'finance@example.com', role: 'finance' })
    expect((await upload(fileOf('refused'), finance)).status).toBe(403)
    expect(await problemOf(finance.console.import.list.query())).toBe('forbidden')
    expect(await problemOf(finance.console.import.admit.mutate())).toBe('forbidden')
    expect((await upload(head, owner, 'kind=colours&dryRun=false')).status).toBe(400)
  })
})

test('what was never whole and what was only checked is forgotten in time; what was written stays', async () => {
  const done = await send(fileOf('kept'))
  const dry = await send(fileOf('dry'), '?kind=subscribers&dry_run=true')
  await doDueJobs(world)
  const unread = await send(fileOf('unread'))
  await world.query(
    `SELECT graphile_worker.permanently_fail_jobs(ARRAY(SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'take_import'), 'gave up')`,
  )
  const there = async () =>
    (await world.query<{ id: string }>('SELECT id::text AS id FROM imports')).map(({ id }) => id)
  await world.passTime({ days: 8 })
  await purgeExpired(pool())
  expect(await there()).toEqual(expect.arrayContaining([done, dry]))
  expect(await there()).not.toContain(unread)
  expect(await world.query('SELECT 1 FROM import_pieces')).toHaveLength(0)
  await world.passTime({ days: 83 })
  await purgeExpired(pool())
  expect(await there()).toContain(done)
  expect(await there()).not.toContain(dry)
})
