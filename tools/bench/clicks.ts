import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openSocket } from '@meridian/process'
import { z } from 'zod'
import { median, quantile } from './measure.ts'
import { hireViewer } from './open-console.ts'
import type { BenchWorld } from './open-world.ts'
import { startApi, startConsole } from './programs.ts'
import { cursorAfter, rowBefore } from './reads.ts'
import { type Line, milliseconds } from './table.ts'

const rounds = 20
const checkout = join(import.meta.dirname, '../../..')

/** What was seen before waits for nobody; the others have nothing but themselves to stand beside. */
const acceptableMs = new Map([['an order seen before', 100]])

/** From the click to the paint of what it was made for: production builds in a real browser. */
export async function measureClicks(world: BenchWorld): Promise<Line[]> {
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
    return Object.entries(taken).map(([name, times]) => line(name, times))
  } finally {
    await program.stop()
    await api.stop()
  }
}

/** In a process of its own, as the browser's driver is no part of what is measured. */
async function clickThrough(asked: object): Promise<Record<string, number[]>> {
  const command = ['node_modules/tsx/dist/cli.mjs', 'e2e/clicks/measure-clicks.ts']
  const child = spawn(process.execPath, command, {
    cwd: checkout,
    env: { ...process.env, MEASURE_CLICKS: JSON.stringify(asked) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error('the clicks were not measured')
  return z.record(z.string(), z.array(z.number())).parse(JSON.parse(output.trim().split('\n').at(-1) ?? ''))
}

function line(name: string, times: readonly number[]): Line {
  const [p95, most] = [quantile(times, 0.95), acceptableMs.get(name)]
  return {
    what: `click to content: ${name}, p95 of ${times.length}`,
    figure: milliseconds(p95),
    floor: `median ${milliseconds(median(times))}${most === undefined ? '' : `; ${most} ms`}`,
    ratio: most === undefined ? Number.NaN : p95 / most,
    aim: most === undefined ? null : { atMost: 1 },
  }
}
