import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Milliseconds of processor time that a process has used so far; PostgreSQL's processes together. */
export type Spent = Record<string, number>

const tickMs = 10

type Stat = { pid: number; parent: number; ticks: number }

function readStat(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    // state ppid …, utime stime cutime cstime are the 12th to 15th after the name.
    const [, parent = 0, , , , , , , , , , user = 0, system = 0, childUser = 0, childSystem = 0] = fields
    return { pid, parent, ticks: user + system + childUser + childSystem }
  } catch {
    return null
  }
}

/** What each of these processes has used, with its children that are not watched themselves; empty off Linux. */
export function spentBy(watched: Readonly<Record<string, number>>): Spent {
  if (process.platform !== 'linux') return {}
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? [])
  const pids = new Set(Object.values(watched))
  const ticksOf = (pid: number) =>
    all
      .filter((stat) => stat.pid === pid || (stat.parent === pid && !pids.has(stat.pid)))
      .reduce((sum, { ticks }) => sum + ticks, 0)
  return Object.fromEntries(Object.entries(watched).map(([name, pid]) => [name, ticksOf(pid) * tickMs]))
}

/** What was used in between. */
export const spentBetween = (before: Spent, after: Spent): Spent =>
  Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)]))

/** How the cores were shared, as text. */
export const sharesText = (cores: Spent): string =>
  Object.keys(cores).length === 0
    ? 'unknown on this system'
    : `${Object.entries(cores)
        .map(([name, share]) => `${name} ${share.toFixed(2)}`)
        .join(', ')} cores`

/** The first process of the server that runs on this data directory. */
export const postmasterOf = (clusterFolder: string): number =>
  Number(readFileSync(join(clusterFolder, 'postmaster.pid'), 'utf8').split('\n')[0])

/** How much memory a process holds; NaN where the system does not tell. */
export const residentBytes = (pid: number): number => memoryFigure(pid, 'VmRSS')

/** The most memory a process has held; NaN where the system does not tell. */
export const highestResidentBytes = (pid: number): number => memoryFigure(pid, 'VmHWM')

function memoryFigure(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  if (process.platform !== 'linux') return Number.NaN
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) * 1024
}
