import { expect, test } from 'vitest'
import { startScheduled } from '../../src/doors/files/scheduled-exports.ts'
import { takeExport } from '../../src/exports/write-pieces.ts'
import { doDueJobs, doJob } from '../world/do-jobs.ts'
import { daily, objectOf, useExportDesk } from '../world/export-desk.ts'
import { storeKey } from '../world/object-store.ts'

const { world, store, desk, pass, toStore, schedules, onlyOne, nextDay, roleOfOther } = useExportDesk()

const waiting = () =>
  world.query(`SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'deliver_export'`)
/** The hour that it is in China: the next file is due when a day has passed, and the one after it no sooner than another. */
const thisHour = () => (world.services.runtime.now().getUTCHours() + 8) % 24
const refuse = () => Object.assign(store, { refusal: { status: 503, code: 'SlowDown' } })
const accept = () => Object.assign(store, { refusal: null })

test.each([
  ['is paused', async (id: string) => (await desk('finance')).exportSchedule.pause.mutate({ id })],
  ['belongs to nobody who may export', () => roleOfOther('viewer')],
])('a file that waits while its schedule %s is sent once it goes on, and once', async (_, stop) => {
  const { id } = await (await desk('other')).exportSchedule.create.mutate(toStore())
  refuse()
  const day = await nextDay()
  await stop(id)
  accept()
  await pass({ hours: 3 })
  await doDueJobs(world)
  expect(store.objects.size).toBe(0)
  await (await desk('finance')).exportSchedule.resume.mutate({ id })
  await doDueJobs(world)
  expect([...store.objects.keys()]).toEqual([objectOf(day)])
  expect((await onlyOne())?.last).toMatchObject({ day, delivered: true, attempts: 2, error: null })
})

test('going on asks once for a file whose next try still waits, and never for one that is kept no longer', async () => {
  const { id } = await (await desk('finance')).exportSchedule.create.mutate({ ...toStore(), keepDays: 1 })
  refuse()
  await nextDay()
  expect(await waiting()).toHaveLength(1)
  await (await desk('finance')).exportSchedule.pause.mutate({ id })
  await (await desk('finance')).exportSchedule.resume.mutate({ id })
  expect(await waiting()).toHaveLength(1)
  await (await desk('finance')).exportSchedule.pause.mutate({ id })
  await pass({ hours: 25 })
  await doDueJobs(world)
  await (await desk('finance')).exportSchedule.resume.mutate({ id })
  expect(await waiting()).toEqual([])
})

test('a store that is not there is asked again for as long as the file is kept', async () => {
  const nowhere = { ...store.place, endpoint: 'http://127.0.0.1:9', ...storeKey }
  await (await desk('finance')).exportSchedule.create.mutate({ ...daily, keepDays: 2, s3: nowhere })
  await nextDay()
  expect((await onlyOne())?.last).toMatchObject({ delivered: false, attempts: 1, error: 'ECONNREFUSED' })
  await pass({ hours: 47 })
  await doDueJobs(world)
  expect((await onlyOne())?.last).toMatchObject({ attempts: 2 })
  expect(await waiting()).toHaveLength(1)
  await pass({ hours: 2 })
  await doDueJobs(world)
  expect((await onlyOne())?.last).toMatchObject({ attempts: 2 })
  expect(await waiting()).toEqual([])
})

test('a schedule fails until every day that is kept was sent, whichever comes first', async () => {
  await (await desk('finance')).exportSchedule.create.mutate({ ...toStore(), hour: thisHour() })
  refuse()
  await nextDay()
  const { last: first, failingSince } = (await onlyOne()) ?? {}
  expect(first).toMatchObject({ delivered: false })
  // Its tries go on two hours apart, the last one an hour before the next file is due.
  for (const minutes of [2, 6, 16, 31, 61, 1260]) {
    await pass({ minutes })
    await doDueJobs(world)
  }
  accept()
  await pass({ minutes: 65 })
  await doJob(world, 'start_due_exports', {})
  const second = await onlyOne()
  expect(second).toMatchObject({ last: { delivered: true }, failingSince })
  expect(failingSince).toEqual(expect.any(Date))
  const objects = [first, second?.last].map((run) => objectOf(run?.day ?? ''))
  expect([...store.objects.keys()]).toEqual(objects.slice(1))
  await pass({ hours: 1 })
  await doDueJobs(world)
  expect([...store.objects.keys()].sort()).toEqual(objects)
  expect((await onlyOne())?.failingSince).toBeNull()
})

test('a day that is kept no longer fails no more once another one arrives', async () => {
  await (await desk('finance')).exportSchedule.create.mutate({ ...toStore(), keepDays: 1 })
  refuse()
  await nextDay()
  accept()
  await pass({ hours: 1 })
  await nextDay()
  expect(await onlyOne()).toMatchObject({ last: { delivered: true }, failingSince: null })
})

test('files that nobody writes to their end keep no other from being written, and fail after six hours', async () => {
  const hour = thisHour()
  for (const _ of [1, 2, 3]) await (await desk('finance')).exportSchedule.create.mutate({ ...daily, hour })
  await pass({ hours: 24 })
  await startScheduled(world.services)
  const begun = await world.query<{ id: string; schedule: string }>(
    `SELECT j.id::text AS id, r.schedule_id::text AS schedule FROM export_jobs j JOIN export_runs r ON r.job_id = j.id
     WHERE j.state = 'waiting'`,
  )
  expect(begun).toHaveLength(2)
  for (const { id } of begun) await takeExport(world.services.database.pool, id)
  await world.query(
    `DELETE FROM graphile_worker._private_jobs WHERE payload ->> 'exportId' IN (SELECT id::text FROM export_jobs)`,
  )
  const tick = async () => {
    await doJob(world, 'start_due_exports', {})
    const rows = await schedules()
    const isBegun = (id: string) => begun.some(({ schedule }) => schedule === id)
    return { dead: rows.filter(({ id }) => isBegun(id)), healthy: rows.find(({ id }) => !isBegun(id)) }
  }
  await pass({ hours: 5 })
  const before = await tick()
  expect(before.healthy?.last).toBeNull()
  expect(before.dead.map(({ failingSince }) => failingSince)).toEqual([null, null])
  await pass({ hours: 1 })
  const after = await tick()
  expect(after.healthy).toMatchObject({ last: { state: 'done', delivered: true }, failingSince: null })
  const failed = { last: { state: 'failed', error: 'not_written' }, failingSince: expect.any(Date) }
  expect(after.dead).toMatchObject([failed, failed])
})
