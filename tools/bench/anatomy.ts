import { openPool, type Pool } from '@meridian/db'
import { acts, connections, type OpenAct, payments, urlOf } from './anatomy-acts.ts'
import { removals } from './anatomy-removals.ts'
import { type BareMinimum, openBareMinimum } from './bare-minimum.ts'
import { median } from './measure.ts'
import type { BenchWorld } from './open-world.ts'
import { inParallel } from './paid-road.ts'
import { type Spent, spentBetween, spentBy } from './processor-time.ts'
import { kilobytes, type Line, milliseconds, rate } from './table.ts'
import { readWritten, type Written, withoutFullPages, writtenPer } from './write-ahead.ts'

const perAct = 1_000
const alone = 100
/** PostgreSQL plans the first five executions of a statement on each connection for themselves. */
const warmUps = 8 * connections
/** As many as the product commits together at most. */
const groupSize = 32

type Seen = { perSecond: number; aloneMs: number; spent: Spent; written: Written; bareBytes: number }

type Stage = { world: BenchWorld; pool: Pool; watched: Record<string, number> }

type Load = { count: number; atOnce?: number }

/** Does an act many times on connections of its own, closed before what was written is read. */
async function doMany({ world, pool, watched }: Stage, open: OpenAct, { count, atOnce = connections }: Load) {
  const act = await open(world)
  const { each = 1 } = act
  const works = await act.prepare(warmUps + Math.ceil(count / each))
  await inParallel(works.splice(0, warmUps), (work) => work(), connections)
  const done = works.length * each
  const before = await readWritten(pool)
  const [spentBefore, started] = [spentBy(watched), performance.now()]
  const times: number[] = []
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  await inParallel(works, timed, atOnce)
  const elapsedMs = performance.now() - started
  const spent = spentBetween(spentBefore, spentBy(watched))
  await act.close()
  return {
    count: done,
    elapsedMs,
    times,
    spent,
    written: writtenPer(done, before, await readWritten(pool)),
  }
}

async function observe(stage: Stage, open: OpenAct, many = perAct): Promise<Seen> {
  const { count, elapsedMs, spent, written } = await doMany(stage, open, { count: many })
  const lone = await doMany(stage, open, { count: alone, atOnce: 1 })
  const bare = await withoutFullPages(stage.pool, () => doMany(stage, open, { count: alone }))
  return {
    perSecond: (count / elapsedMs) * 1000,
    aloneMs: median(lone.times),
    spent: Object.fromEntries(Object.entries(spent).map(([name, ms]) => [name, ms / count])),
    written,
    bareBytes: bare.written.bytes,
  }
}

function lineOf(what: string, seen: Seen, floor: Seen): Line {
  const { perSecond, aloneMs, spent, written, bareBytes } = seen
  const spentText = Object.entries(spent).map(([by, ms]) => `${by} ${milliseconds(ms)}`)
  const log = `log ${kilobytes(bareBytes)} + ${written.fullPages.toFixed(1)} full pages`
  const alone = Number.isFinite(aloneMs) ? `, alone ${milliseconds(aloneMs)}` : ''
  return {
    what,
    figure: `${rate(perSecond)}${alone}`,
    floor: `${spentText.join(', ')}; ${log}; ${written.entries.toFixed(0)} index entries`,
    ratio: perSecond / floor.perSecond,
    byProcessor: (floor.spent['PostgreSQL'] ?? Number.NaN) / (spent['PostgreSQL'] ?? Number.NaN),
    aim: null,
  }
}

/** What the payment is held to: its rate alone and in groups, and what it writes, against the bare minimum. */
async function linesOfPayment(stage: Stage, floor: Seen): Promise<Line[]> {
  const inGroups = await observe(stage, payments(groupSize), 8 * perAct)
  const single = await observe(stage, payments(1))
  const bytes = { figure: kilobytes(single.bareBytes), floor: `bare minimum ${kilobytes(floor.bareBytes)}` }
  return [
    { ...lineOf('payment, one by one', single, floor), aim: { atLeast: 0.35 } },
    { ...lineOf(`payments in groups of ${groupSize}`, inGroups, floor), aim: { atLeast: 0.8 } },
    {
      what: 'log of a payment, full pages apart',
      ...bytes,
      ratio: single.bareBytes / floor.bareBytes,
      aim: { atMost: 4 },
    },
  ]
}

async function observeMinimum(stage: Stage, minimum: BareMinimum): Promise<Seen> {
  await minimum.pay(2_000, connections)
  const [before, spentBefore, started] = [
    await readWritten(stage.pool),
    spentBy(stage.watched),
    performance.now(),
  ]
  const count = await minimum.pay(10_000, connections)
  const elapsedMs = performance.now() - started
  const spent = spentBetween(spentBefore, spentBy(stage.watched))
  const written = writtenPer(count, before, await readWritten(stage.pool))
  const bare = await withoutFullPages(stage.pool, async () => {
    const from = await readWritten(stage.pool)
    return writtenPer(await minimum.pay(2_000, connections), from, await readWritten(stage.pool))
  })
  return {
    perSecond: (count / elapsedMs) * 1000,
    aloneMs: Number.NaN,
    spent: { PostgreSQL: (spent['PostgreSQL'] ?? Number.NaN) / count },
    written,
    bareBytes: bare.bytes,
  }
}

/**
 * What payment, purchase, sync and refund cost and where it goes: the same acts while parts are taken away one by one,
 * beside the bare minimum. The database is spoilt by it and thrown away.
 */
export async function measureAnatomy(world: BenchWorld): Promise<Line[]> {
  const pool = openPool(urlOf(world), { maxConnections: 1, statementTimeoutMs: 0 })
  const minimum = await openBareMinimum(world)
  const stage = { world, pool, watched: { PostgreSQL: world.postmaster, API: process.pid } }
  try {
    const floor = await observeMinimum(stage, minimum)
    const lines = [
      lineOf(`bare minimum by ${minimum.by}`, floor, floor),
      ...(await linesOfPayment(stage, floor)),
    ]
    for (const { name, sql } of removals) {
      if (sql !== '') await pool.query(sql)
      for (const [act, open] of Object.entries(acts))
        lines.push(lineOf(`${act}, ${name}`, await observe(stage, open), floor))
    }
    return lines
  } finally {
    await Promise.all([minimum.close(), pool.end()])
  }
}
