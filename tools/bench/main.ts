import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openSocket } from '@meridian/process'
import { z } from 'zod'
import { measureAnatomy } from './anatomy.ts'
import { config } from './config.ts'
import { measureDeliveries } from './deliveries.ts'
import { measureEntitlement } from './entitlement.ts'
import { measureExport } from './export.ts'
import { measureGrowth } from './growth.ts'
import { measureKeptExport } from './kept-export.ts'
import { median, quantile } from './measure.ts'
import { hireViewer } from './open-console.ts'
import { type BenchWorld, openBenchWorld, type WorldOptions } from './open-world.ts'
import { measurePaidRoad } from './paid-road.ts'
import { startApi, startConsole } from './programs.ts'
import { measurePurchase } from './purchase.ts'
import { measureReads } from './reads.ts'
import { cursorAfter, rowBefore } from './row-before.ts'
import { measureSlowCommits } from './slow-commits.ts'
import { measureStarvation } from './starvation.ts'
import { measureLatency, measureMemory, measureProcesses } from './steadiness.ts'
import { measureSweep } from './sweep.ts'
import { kilobytes, type Line, milliseconds, printTable } from './table.ts'

const rounds = 20
/** What a payment costs depends little on how many there are. */
const anatomyOrders = 200_000

/** What an act took, time by time: until it was painted, and over the wire until the page was quiet again. */
const Taken = z.record(z.string(), z.object({ ms: z.array(z.number()), bytes: z.array(z.number()) }))
type Taken = z.infer<typeof Taken>
const checkout = join(import.meta.dirname, '../../..')

/** The others have nothing but themselves to stand beside. */
const acceptableMs = new Map([
  ['orders, loaded whole', 400],
  ['orders, from the menu', 400],
  ['next page of the orders', 120],
  ['page 10,001, from page 10,000', 120],
  ['orders that are paid', 150],
  ['an order of the list', 120],
  ['an order seen before', 100],
])

/** From the click to the paint of what it was made for: production builds in a real browser. */
async function measureClicks(world: BenchWorld): Promise<Line[]> {
  const http = await openSocket()
  const consoleUrl = http.url
  const api = await startApi(world, { CONSOLE_URL: consoleUrl })
  const program = await startConsole(world, { http, apiPort: api.port })
  try {
    const { outTradeNo } = await rowBefore(world, 'orders', `status = 'paid'`)
    const taken = await clickThrough({
      ...(await hireViewer(world, api)),
      consoleUrl,
      rounds,
      deepCursor: cursorAfter(await rowBefore(world, 'orders', 'TRUE')),
      outTradeNo,
    })
    return Object.entries(taken).map(([name, each]) => line(name, each))
  } finally {
    await program.stop()
    await api.stop()
  }
}

/** In a process of its own, as the browser's driver is no part of what is measured. */
async function clickThrough(asked: object): Promise<Taken> {
  const command = ['node_modules/tsx/dist/cli.mjs', 'e2e/clicks/measure-clicks.ts']
  const child = spawn(process.execPath, command, {
    cwd: checkout,
    env: { ...process.env, MEASURE_CLICKS: JSON.stringify(asked) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error('the clicks were not measured')
  return Taken.parse(JSON.parse(output.trim().split('\n').at(-1) ?? ''))
}

function line(name: string, { ms, bytes }: Taken[string]): Line {
  const [p95, most] = [quantile(ms, 0.95), acceptableMs.get(name)]
  const beside = [`median ${milliseconds(median(ms))}`, kilobytes(median(bytes))]
  return {
    what: `click to content: ${name}, p95 of ${ms.length}`,
    figure: milliseconds(p95),
    floor: [...beside, ...(most === undefined ? [] : [`${most} ms`])].join('; '),
    ratio: most === undefined ? Number.NaN : p95 / most,
    aim: most === undefined ? null : { atMost: 1 },
  }
}

/** A part that was refused or failed is a missed line of its own; the others keep their figures. */
function notMeasured(part: string, error: unknown): Line {
  const reason = error instanceof Error ? error.message : String(error)
  return { what: part, figure: 'not measured', floor: reason, ratio: 0, aim: { atLeast: 1 } }
}

const wanted = new Set(process.argv.slice(2))
/** The deliveries take long: only when they are asked for. */
const wants = (part: string) => (wanted.size === 0 && part !== 'deliveries') || wanted.has(part)

async function openWorld(options: WorldOptions): Promise<BenchWorld> {
  const started = performance.now()
  const world = await openBenchWorld(options)
  console.log(
    `${world.history.orders.toLocaleString('en')} orders of ${world.history.users.toLocaleString('en')} users, ` +
      `planted in ${Math.round((performance.now() - started) / 1000)} s; ${cpus().length} cores, Node ${process.versions.node}`,
  )
  return world
}

/** Takes parts of the database away, so that it has one of its own, which nobody keeps. */
async function measureApart(): Promise<Line[]> {
  await using world = await openWorld({ orders: Math.min(config.orders, anatomyOrders), keepIn: null })
  return await measureAnatomy(world)
}

async function measureNotifications(world: BenchWorld): Promise<Line[]> {
  const road = await measurePaidRoad(world)
  const latency = await measureLatency(world, road.perSecond)
  return [...road.lines, ...latency, ...(await measureSlowCommits(world))]
}

const lines: Line[] = []
async function measure(name: string, run: () => Promise<Line[]>): Promise<void> {
  if (!wants(name)) return
  try {
    lines.push(...(await run()))
  } catch (error) {
    lines.push(notMeasured(name, error))
  }
}

const parts: Readonly<Record<string, (world: BenchWorld) => Promise<Line[]>>> = {
  notifications: measureNotifications,
  purchase: measurePurchase,
  sweep: measureSweep,
  entitlement: measureEntitlement,
  reads: measureReads,
  clicks: measureClicks,
  starvation: measureStarvation,
  export: measureExport,
  files: measureKeptExport,
  processes: measureProcesses,
  memory: measureMemory,
  deliveries: measureDeliveries,
}

await measure('anatomy', measureApart)
// Only when it is asked for by name: it plants databases of its own.
if (wanted.has('growth'))
  lines.push(...(await measureGrowth({ sizes: config.growth, keepIn: config.keepIn })))
if (Object.keys(parts).some(wants)) {
  await using world = await openWorld(config)
  for (const [name, run] of Object.entries(parts)) await measure(name, () => run(world))
}
process.exitCode = printTable(lines) === 0 ? 0 : 1
