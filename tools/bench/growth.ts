import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { costsOf } from './growth-costs.ts'
import { type Figure, measureCosts, reasonOf } from './measure-costs.ts'
import { type BenchWorld, openBenchWorld } from './open-world.ts'
import { type Line, milliseconds } from './table.ts'

/** What each thing costs at one size. */
export type Measured = { orders: number; figures: ReadonlyMap<string, Figure> }

/** With all its indexes, and the space in which they are built. */
const bytesPerOrder = 3000

const notMeasured = { floor: '', ratio: 0, aim: { atLeast: 1 } } as const

const figureText = (figure: Figure | undefined): string => {
  if (!figure) return 'not measured'
  return 'ms' in figure ? milliseconds(figure.ms) : `not measured: ${figure.reason}`
}

const sizeText = (orders: number): string => orders.toLocaleString('en')

/** One line per cost: its figures at each size, and the largest beside the next. */
export function growthLines(sizes: readonly Measured[]): Line[] {
  const names = [...new Set(sizes.flatMap(({ figures }) => [...figures.keys()]))]
  return names.map((what) =>
    growthLine(
      what,
      sizes.map((size) => size.figures.get(what)),
    ),
  )
}

function growthLine(what: string, figures: readonly (Figure | undefined)[]): Line {
  const [largest, next] = figures.toReversed()
  const floor = figures.slice(0, -1).map(figureText).join('; ')
  const shown = { what, figure: figureText(largest), floor }
  if (figures.some((figure) => !figure || 'reason' in figure)) return { ...notMeasured, ...shown }
  if (!next || !largest || 'reason' in largest || 'reason' in next)
    return { ...shown, ratio: Number.NaN, aim: null }
  return { ...shown, ratio: largest.ms / next.ms, aim: { atMost: 1.3 } }
}

/** How large the database became, for the record. */
async function databaseText({ services: { database }, history }: BenchWorld): Promise<string> {
  const { rows } = await database.pool.query<{ size: string }>(
    'SELECT pg_size_pretty(pg_database_size(current_database())) AS size',
  )
  return `${sizeText(history.orders)} orders of ${sizeText(history.users)} users: ${rows[0]?.size}`
}

async function measureSize(orders: number, home: string): Promise<Measured> {
  const started = performance.now()
  await using world = await openBenchWorld({ orders, keepIn: home })
  console.log(
    `${await databaseText(world)}, there after ${Math.round((performance.now() - started) / 1000)} s`,
  )
  const figures = await measureCosts(costsOf(world), (name, figure) =>
    console.log(`  ${name}: ${figureText(figure)}`),
  )
  return { orders, figures }
}

function refuseWithoutRoom(orders: number, home: string): void {
  const { bavail, bsize } = statfsSync(home)
  const [free, needed] = [bavail * bsize, orders * bytesPerOrder]
  const gigabytes = (bytes: number) => `${Math.ceil(bytes / 1e9)} GB`
  if (free < needed) throw new Error(`${gigabytes(needed)} are needed, ${gigabytes(free)} are free`)
}

type Growth = {
  sizes: readonly number[]
  /** A folder that keeps the databases for the next run; without, everything is thrown away. */
  keepIn: string | null
}

/** What the same things cost as the past grows: each size has its own database, all of them on one server. */
export async function measureGrowth({ sizes, keepIn }: Growth): Promise<Line[]> {
  const own = mkdtempSync(join(process.getuid?.() === 0 ? '/tmp' : tmpdir(), 'meridian-growth-'))
  chmodSync(own, 0o755)
  const home = keepIn ?? join(own, 'postgres')
  mkdirSync(home, { recursive: true })
  const measured: Measured[] = []
  const missing: Line[] = []
  try {
    for (const orders of sizes) {
      try {
        if (keepIn === null) refuseWithoutRoom(orders, home)
        measured.push(await measureSize(orders, home))
      } catch (error) {
        const reason = reasonOf(error)
        missing.push({
          ...notMeasured,
          what: `${sizeText(orders)} orders`,
          figure: `not measured: ${reason}`,
        })
      }
    }
    return [...growthLines(measured), ...missing]
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}
