import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { deliverScheduled, startScheduled } from '../../src/doors/files/scheduled-exports.ts'
import { writeExport } from '../../src/doors/files/write-export.ts'
import { aboutSecret, sealedStoreSecrets } from '../../src/exports/export-schedules.ts'
import { takeExport } from '../../src/exports/write-pieces.ts'
import { rekeyColumn } from '../../src/platform/crypto/data-keys.ts'
import { unseal } from '../../src/platform/crypto/seal.ts'
import { purgeExpired } from '../../src/retention/purge-expired.ts'
import { sealedColumns } from '../../src/startup/start-checks.ts'
import { consoleToken, failureOf, problemOf, signedInConsole } from '../world/console.ts'
import { doDueJobs, doJob } from '../world/do-jobs.ts'
import { daily, objectOf, useExportDesk, type Who } from '../world/export-desk.ts'
import { storeKey } from '../world/object-store.ts'
import { openTestWorld } from '../world/test-world.ts'

const { world, store, as, desk, pass, toStore, schedules, onlyOne, yesterday, nextDay, roleOfOther } =
  useExportDesk()

async function download(id: string, who: Who = 'finance') {
  const { token } = await as(who)
  const answer = await fetch(`${world.url}/console/exports/kept/${id}`, {
    method: 'POST',
    headers: { 'x-console-token': await consoleToken(world), authorization: `Bearer ${token}` },
  })
  return { status: answer.status, file: Buffer.from(await answer.arrayBuffer()) }
}

test('a schedule writes the payments of the day before, once, and finance takes the file', async () => {
  const phone = await world.phone()
  const bought = await phone.buys()
  await phone.pays(bought)
  await (await desk('finance')).exportSchedule.create.mutate(daily)
  await doJob(world, 'start_due_exports', {})
  expect(await onlyOne()).toMatchObject({ last: null, target: 'download', place: null })
  const day = await nextDay()
  await doJob(world, 'start_due_exports', {})
  const { last } = (await onlyOne()) ?? {}
  expect(last).toMatchObject({ day, state: 'done', delivered: true, error: null })
  const [heads = [], ...lines]: string[][] = parse(
    (await download(last?.exportId ?? '')).file.toString('utf8'),
    {
      bom: true,
      relax_column_count: true,
    },
  )
  expect(heads[0]).toBe('订单号')
  expect(lines[0]?.[0]).toBe(`="${bought.order.out_trade_no}"`)
  expect(lines.at(-1)?.[3]).toBe(`筛选：支付时间：${day} 至 ${day}`)
  expect(await world.query('SELECT 1 FROM export_runs')).toHaveLength(1)
  // Of a schedule, whoever may take the list may take the file; nobody else sees it.
  expect((await download(last?.exportId ?? '', 'other')).status).toBe(200)
  expect((await download(last?.exportId ?? '', 'operator')).status).toBe(404)
  expect((await (await as('other')).console.export.list.query()).items.map(({ id }) => id)).toEqual([
    last?.exportId,
  ])
})

test('a file is kept for as many days as the schedule says, and no longer', async () => {
  await (await desk('finance')).exportSchedule.create.mutate(daily)
  await nextDay()
  const id = (await onlyOne())?.last?.exportId ?? ''
  await pass({ hours: 70 })
  await purgeExpired(world.services.database.pool)
  expect((await download(id)).status).toBe(200)
  await pass({ hours: 3 })
  await purgeExpired(world.services.database.pool)
  expect((await download(id)).status).toBe(404)
  expect(await world.query('SELECT 1 FROM export_jobs WHERE id = $1', [id])).toEqual([])
})

test('a file goes to a store, signed, under the name of its day, byte for byte as it is kept here', async () => {
  await (await desk('finance')).exportSchedule.create.mutate(toStore())
  const day = await nextDay()
  const { last, failingSince } = (await onlyOne()) ?? {}
  expect(last).toMatchObject({ day, delivered: true, attempts: 1, error: null })
  expect(failingSince).toBeNull()
  expect(store.asked).toEqual([{ path: objectOf(day), answer: 'kept' }])
  const { file } = await download(last?.exportId ?? '')
  expect(store.objects.get(objectOf(day))).toEqual({ body: file, type: 'text/csv; charset=utf-8' })
})

test('the secret of a store is sealed, and never shown or kept in the audit log', async () => {
  await (await desk('finance')).exportSchedule.create.mutate(toStore())
  const [row] = await world.query<{ row: string; sealed: Buffer }>(
    'SELECT s::text AS row, sealed_secret AS sealed FROM export_schedules s WHERE removed_at IS NULL',
  )
  const kept = [row?.row, row?.sealed.toString('latin1'), JSON.stringify(await schedules())]
  const audited = await world.query<{ row: string }>(
    `SELECT a::text AS row FROM audit_entries a WHERE action = 'export_schedule.create' ORDER BY id DESC LIMIT 1`,
  )
  expect(audited[0]?.row).toContain('daily/')
  expect([...kept, audited[0]?.row].filter((text) => text?.includes(storeKey.secretAccessKey))).toEqual([])
})

test.each([
  ['refuses', () => Object.assign(store, { refusal: { status: 503, code: 'SlowDown' } }), '503 SlowDown'],
  [
    'breaks off in the middle',
    () => Object.assign(store, { breaksOff: true }),
    expect.stringMatching(/^(ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/),
  ],
  [
    'would speak another protocol',
    () => Object.assign(store, { switches: true }),
    'the answer switches protocols',
  ],
])(
  'a store that %s is asked again, keeps no half of a file, and has one whole one in the end',
  async (_, trouble, told) => {
    await (await desk('finance')).exportSchedule.create.mutate(toStore())
    trouble()
    const day = await nextDay()
    expect((await onlyOne())?.last).toMatchObject({ delivered: false, attempts: 1, error: told })
    expect((await onlyOne())?.failingSince).not.toBeNull()
    expect(store.objects.size).toBe(0)
    await pass({ minutes: 2 })
    await doDueJobs(world)
    expect((await onlyOne())?.last).toMatchObject({ delivered: false, attempts: 2 })
    Object.assign(store, { refusal: null, breaksOff: false, switches: false })
    await pass({ minutes: 6 })
    await doDueJobs(world)
    expect((await onlyOne())?.last).toMatchObject({ day, delivered: true, attempts: 3, error: null })
    expect((await onlyOne())?.failingSince).toBeNull()
    expect([...store.objects.keys()]).toEqual([objectOf(day)])
  },
)

test('the secret of a store is sealed anew with everything else, and opens with the newest key alone', async () => {
  await (await desk('finance')).exportSchedule.create.mutate(toStore())
  const [old] = world.config.DATA_KEY
  const newest = 'a-newer-data-key-a-newer-data-key-a-newer-1'
  expect(await rekeyColumn(world.services.database.pool, [newest, old], sealedStoreSecrets)).toBe(1)
  expect(sealedColumns).toContain(sealedStoreSecrets)
  const [row] = await world.query<{ id: string; sealed: Buffer }>(
    'SELECT id::text AS id, sealed_secret AS sealed FROM export_schedules WHERE removed_at IS NULL',
  )
  const opened = unseal([newest], aboutSecret(row?.id ?? ''), row?.sealed ?? Buffer.of())
  expect(opened.toString()).toBe(storeKey.secretAccessKey)
})

test('where payments are real no store inside is written to, and none without encryption', async () => {
  await using real = await openTestWorld({ payments: 'off' })
  const { console: finance } = await signedInConsole(real, { email: 'finance@example.com', role: 'finance' })
  const at = (endpoint: string) => ({ ...toStore(), s3: { ...toStore().s3, endpoint } })
  for (const endpoint of [
    'https://127.0.0.1',
    'https://10.0.0.1:9000',
    'http://s3.example.com',
    'https://minio.local',
  ]) {
    const failure = await failureOf(finance.exportSchedule.create.mutate(at(endpoint)))
    expect(failure.problem, endpoint).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 's3.endpoint' }],
    })
  }
  await finance.exportSchedule.create.mutate(at('https://s3.example.com'))
})

test('a worker that dies while it writes or sends leaves neither half of a file nor two', async () => {
  await (await desk('finance')).exportSchedule.create.mutate(toStore())
  await pass({ hours: 24 })
  const { services } = world
  await Promise.all([startScheduled(services), startScheduled(services), startScheduled(services)])
  const runs = await world.query<{ job: string; schedule: string; day: string }>(
    'SELECT job_id::text AS job, schedule_id::text AS schedule, day::text AS day FROM export_runs ORDER BY created_at DESC',
  )
  const day = yesterday()
  expect(runs.filter((run) => run.day === day)).toHaveLength(1)
  const [{ job = '', schedule = '' } = {}] = runs
  // It took its turn, and was never heard of again; then the job runs again.
  expect(await takeExport(services.database.pool, job)).not.toBeNull()
  await writeExport(services, job)
  // It sent the file and died before it could say so; then it is sent again.
  const reference = { scheduleId: schedule, day }
  await deliverScheduled(services, reference)
  await world.query('UPDATE export_runs SET delivered_at = NULL WHERE job_id = $1', [job])
  await Promise.all([deliverScheduled(services, reference), deliverScheduled(services, reference)])
  await doDueJobs(world)
  expect([...store.objects.keys()]).toEqual([objectOf(day)])
  const { file } = await download(job)
  expect(store.objects.get(objectOf(day))?.body).toEqual(file)
})

test('days that nobody worked on are made up for, a week of them', async () => {
  await (await desk('finance')).exportSchedule.create.mutate(daily)
  await nextDay()
  const before = await world.query('SELECT 1 FROM export_runs')
  await pass({ days: 12 })
  for (const _ of Array.from({ length: 12 })) await doJob(world, 'start_due_exports', {})
  const after = await world.query<{ day: string }>(
    'SELECT day::text AS day FROM export_runs ORDER BY day DESC',
  )
  expect(after[0]?.day).toBe(yesterday())
  // The day that was next, and the last seven.
  expect(after.length - before.length).toBe(8)
})

test('a schedule stands still while it is paused, and when whoever has it may not take lists out any more', async () => {
  const { id } = await (await desk('other')).exportSchedule.create.mutate(toStore())
  await (await desk('finance')).exportSchedule.pause.mutate({ id })
  await nextDay()
  expect((await onlyOne())?.last).toBeNull()
  await (await desk('other')).exportSchedule.resume.mutate({ id })
  await roleOfOther('viewer')
  await nextDay()
  expect(await onlyOne()).toMatchObject({ last: null, ownerGone: true, email: 'other@example.com' })
  expect((await onlyOne())?.failingSince).not.toBeNull()
  expect(store.asked).toEqual([])
  await (await desk('finance')).exportSchedule.resume.mutate({ id })
  const day = await nextDay()
  expect(await onlyOne()).toMatchObject({
    last: { day, delivered: true },
    ownerGone: false,
    failingSince: null,
  })
})

test('only finance and owners schedule, at most twenty, and every act is on record', async () => {
  expect(await problemOf((await desk('operator')).exportSchedule.create.mutate(daily))).toBe('forbidden')
  const owner = await desk('owner')
  for (let made = 0; made < 20; made += 1) await owner.exportSchedule.create.mutate(daily)
  expect(await problemOf(owner.exportSchedule.create.mutate(daily))).toBe('invalid_request')
  const [{ id = '' } = {}] = await schedules()
  await owner.exportSchedule.pause.mutate({ id })
  await owner.exportSchedule.resume.mutate({ id })
  await owner.exportSchedule.remove.mutate({ id })
  const audited = await world.query<{ action: string }>(
    'SELECT action FROM audit_entries WHERE subject_id = $1 ORDER BY id',
    [id],
  )
  expect(audited.map(({ action }) => action)).toEqual(
    ['create', 'pause', 'resume', 'remove'].map((act) => `export_schedule.${act}`),
  )
  expect(await problemOf(owner.exportSchedule.remove.mutate({ id }))).toBe('not_found')
})
