import { expect, test } from 'vitest'
import { doDueJobs } from '../world/do-jobs.ts'
import { objectOf, useExportDesk } from '../world/export-desk.ts'

const { world, store, desk, pass, toStore, onlyOne, nextDay, roleOfOther } = useExportDesk()

test.each([
  ['is paused', async (id: string) => (await desk('finance')).exportSchedule.pause.mutate({ id })],
  ['belongs to nobody who may export', () => roleOfOther('viewer')],
])('a file that waits while its schedule %s is sent once it goes on, and once', async (_, stop) => {
  const { id } = await (await desk('other')).exportSchedule.create.mutate(toStore())
  Object.assign(store, { refusal: { status: 503, code: 'SlowDown' } })
  const day = await nextDay()
  await stop(id)
  Object.assign(store, { refusal: null })
  await pass({ hours: 3 })
  await doDueJobs(world)
  expect(store.objects.size).toBe(0)
  await (await desk('finance')).exportSchedule.resume.mutate({ id })
  await doDueJobs(world)
  expect([...store.objects.keys()]).toEqual([objectOf(day)])
  expect((await onlyOne())?.last).toMatchObject({ day, delivered: true, attempts: 2, error: null })
})

test('going on asks once for a file whose next try still waits, and never for one that is kept no longer', async () => {
  const waiting = () =>
    world.query(`SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'deliver_export'`)
  const { id } = await (await desk('finance')).exportSchedule.create.mutate({ ...toStore(), keepDays: 1 })
  Object.assign(store, { refusal: { status: 503, code: 'SlowDown' } })
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
