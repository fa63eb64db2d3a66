import { writeFileSync } from 'node:fs'
import superjson from 'superjson'
import { type BenchConsole, openBenchConsole } from './open-console.ts'
import type { BenchWorld } from './open-world.ts'
import { highestResidentBytes, residentBytes } from './processor-time.ts'
import { startApi } from './programs.ts'
import { type Line, megabytes, rate } from './table.ts'

const wantedRows = 100_000
const acceptableBytes = 64 * 1024 * 1024

/** Takes the orders since then as a file, keeps nothing of it, and tells how many lines it had. */
async function take({ url, headers }: BenchConsole, from: Date): Promise<number> {
  const answer = await fetch(`${url}/console/exports/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await headers()) },
    body: superjson.stringify({ from }),
  })
  if (!answer.ok || !answer.body) throw new Error(`the export answered ${answer.status}`)
  let lines = 0
  for await (const chunk of answer.body) for (const byte of chunk) if (byte === 10) lines += 1
  return lines
}

/** How much more memory an API process holds at the most while it gives out a hundred thousand orders. */
export async function measureExport(world: BenchWorld): Promise<Line[]> {
  const api = await startApi(world)
  try {
    const console = await openBenchConsole(world, api)
    const { rows } = await world.services.database.pool.query<{ since: Date; recent: Date }>(
      `SELECT (SELECT created_at FROM orders ORDER BY created_at DESC, id DESC OFFSET $1 LIMIT 1) AS since,
         (SELECT created_at FROM orders ORDER BY created_at DESC, id DESC OFFSET 2000 LIMIT 1) AS recent`,
      [wantedRows - 1],
    )
    const [{ since, recent } = { since: new Date(0), recent: new Date() }] = rows
    await take(console, recent)
    const before = residentBytes(api.pid)
    // Forgets the highest figure so far.
    writeFileSync(`/proc/${api.pid}/clear_refs`, '5')
    const started = performance.now()
    const lines = await take(console, since)
    const seconds = (performance.now() - started) / 1000
    if (lines < wantedRows) throw new Error(`the file had ${lines} lines`)
    const more = highestResidentBytes(api.pid) - before
    return [
      {
        what: `memory for a file of ${lines.toLocaleString('en')} lines`,
        figure: `${megabytes(more)} more`,
        floor: `before: ${megabytes(before)}; ${rate(lines / seconds)}; 64 MB`,
        ratio: more / acceptableBytes,
        aim: { atMost: 1 },
      },
    ]
  } finally {
    await api.stop()
  }
}
