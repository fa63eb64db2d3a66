import { writeFileSync } from 'node:fs'
import { scheduler } from 'node:timers/promises'
import { fireSteadily, withLines } from './load.ts'
import { quantile } from './measure.ts'
import { duePayments, shotOf } from './notifications.ts'
import { type BenchConsole, openBenchConsole } from './open-console.ts'
import type { BenchWorld } from './open-world.ts'
import { highestResidentBytes } from './processor-time.ts'
import { type Program, startApi } from './programs.ts'
import { type Line, megabytes, milliseconds, rate } from './table.ts'

const fewRows = 5_000
const manyRows = 500_000
const perSecond = 10
const seconds = 15
const connections = 4

type Stage = { world: BenchWorld; api: Program; console: BenchConsole }
type Kept = { rows: number; bytes: number; seconds: number }

/** Since when there are so many orders. */
async function sinceOf({ services }: BenchWorld, rows: number): Promise<Date> {
  const { rows: found } = await services.database.pool.query<{ since: Date }>(
    'SELECT created_at AS since FROM orders ORDER BY created_at DESC, id DESC OFFSET $1 LIMIT 1',
    [rows - 1],
  )
  if (!found[0]) throw new Error(`there are fewer than ${rows} orders`)
  return found[0].since
}

/** Has the orders since then written by a worker, and waits for the file. */
async function keep({ console }: BenchConsole, from: Date): Promise<Kept> {
  const started = performance.now()
  const { id } = await console.export.start.mutate({ list: 'orders', format: 'csv', query: { from } })
  for (;;) {
    const { items } = await console.export.list.query()
    const file = items.find((row) => row.id === id)
    if (file?.state === 'failed') throw new Error('the file was not written')
    if (file?.state === 'done')
      return { rows: file.rows, bytes: file.bytes, seconds: (performance.now() - started) / 1000 }
    await scheduler.wait(100)
  }
}

/** The most memory the process held while the file was written. */
async function highestOf({ api, console }: Stage, from: Date): Promise<Kept & { highest: number }> {
  // Forgets the highest figure so far.
  writeFileSync(`/proc/${api.pid}/clear_refs`, '5')
  return { ...(await keep(console, from)), highest: highestResidentBytes(api.pid) }
}

async function measureMemory(stage: Stage): Promise<Line[]> {
  const [few, many] = [await sinceOf(stage.world, fewRows), await sinceOf(stage.world, manyRows)]
  // The first file brings the code along.
  await keep(stage.console, few)
  const short = await highestOf(stage, few)
  const long = await highestOf(stage, many)
  const rows = (count: number) => count.toLocaleString('en')
  return [
    {
      what: `memory while a worker writes a list of ${rows(manyRows)} rows`,
      figure: `${megabytes(long.highest)}, ${rows(long.rows)} rows, ${megabytes(long.bytes)} in ${long.seconds.toFixed(1)} s, ${rate(long.rows / long.seconds)}`,
      floor: `of ${rows(fewRows)} rows: ${megabytes(short.highest)}`,
      ratio: long.highest / short.highest,
      aim: { atMost: 1.3 },
    },
  ]
}

/** Notifications at a steady rate; one that is not answered 204 ends the bench. */
async function notify({ world, api }: Stage): Promise<number> {
  const shots = (await duePayments(world, perSecond * seconds)).map(shotOf)
  return quantile(
    await withLines([api.port], connections, (lines) => fireSteadily(lines, shots, perSecond)),
    0.95,
  )
}

async function measureLatency(stage: Stage): Promise<Line[]> {
  const many = await sinceOf(stage.world, manyRows)
  await notify(stage)
  const quiet = await notify(stage)
  let isOver = false
  const writing = (async () => {
    let files = 0
    for (; !isOver; files += 1) await keep(stage.console, many)
    return files
  })()
  const beside = await notify(stage)
  isOver = true
  return [
    {
      what: 'p95 of a notification while the same process writes files',
      figure: milliseconds(beside),
      floor: `quiet ${milliseconds(quiet)}; ${await writing} files`,
      ratio: beside / quiet,
      aim: { atMost: 3 },
    },
  ]
}

/** What files that a worker writes cost the process they are written in: the one that also takes notifications. */
export async function measureKeptExport(world: BenchWorld): Promise<Line[]> {
  const api = await startApi(world, { MERIDIAN_ROLE: 'all' })
  try {
    const stage = { world, api, console: await openBenchConsole(world, api) }
    return [...(await measureLatency(stage)), ...(await measureMemory(stage))]
  } finally {
    await api.stop()
  }
}
