import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { scheduler } from 'node:timers/promises'
import { TokenPair } from '@meridian/contracts'
import superjson from 'superjson'
import { z } from 'zod'
import { fireSteadily, withLines } from './load.ts'
import { median, quantile } from './measure.ts'
import { duePayments, shotOf } from './notifications.ts'
import { type BenchConsole, openBenchConsole } from './open-console.ts'
import type { BenchWorld } from './open-world.ts'
import { type Program, startWatchedApi } from './programs.ts'
import { type Line, milliseconds } from './table.ts'

const perSecond = 10
const seconds = 15
const connections = 4
/** Nothing may keep the event loop for longer. */
const acceptableStallMs = 50

type Stage = { world: BenchWorld; api: Program; console: BenchConsole }
/** One thing that strangers or colleagues may do, again and again until it is stopped. */
type Burden = { what: string; again: () => Promise<unknown>; atOnce: number }

const Stall = z.object({ computedMs: z.number(), delayMs: z.number() })

/** For how long the API stood still since it was asked before: what it computed, and what the machine made of it. */
async function stallOf({ pid, logFile }: Program) {
  const tellings = () => [...readFileSync(logFile, 'utf8').matchAll(/^event loop: (.*)$/gm)]
  const before = tellings().length
  process.kill(pid, 'SIGCONT')
  while (tellings().length === before) await scheduler.wait(20)
  return Stall.parse(JSON.parse(tellings().at(-1)?.[1] ?? '{}'))
}

/** Notifications at a steady rate; one that is not answered 204 ends the bench. */
async function notify({ world, api }: Stage): Promise<number[]> {
  const shots = (await duePayments(world, perSecond * seconds)).map(shotOf)
  return withLines([api.port], connections, (lines) => fireSteadily(lines, shots, perSecond))
}

async function whileBurdened<Result>({ again, atOnce }: Burden, work: () => Promise<Result>) {
  const over = new AbortController()
  const carrying = Array.from({ length: atOnce }, async () => {
    while (!over.signal.aborted) await again()
  })
  const result = await work()
  over.abort()
  await Promise.all(carrying)
  return result
}

const ask = async (url: string, headers: Record<string, string>, body?: string) => {
  const answer = await fetch(url, { headers, ...(body !== undefined && { method: 'POST', body }) })
  await answer.arrayBuffer()
  return answer.status
}

function faultyImports({ console }: Stage): Burden {
  const body = `serial_number\n${'?\n'.repeat(100_000)}`
  const again = async () =>
    ask(
      `${console.url}/console/imports/devices`,
      { ...(await console.headers()), 'content-type': 'text/csv' },
      body,
    )
  return { what: 'imports of 100,000 faulty lines', again, atOnce: 2 }
}

async function heavyReports({ world, api }: Stage): Promise<Burden> {
  const url = `http://127.0.0.1:${api.port}/api/v1`
  const json = { 'content-type': 'application/json' }
  const code = world.platform.loginCode(`oBenchHeavy${Date.now()}`)
  const login = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ code }),
  })
  const { access_token: token } = TokenPair.parse(await login.json())
  const headers = { ...json, authorization: `Bearer ${token}` }
  const measurements = Array.from({ length: 4_000 }, (_, at) => ({
    t_ms: at * 20,
    channel: 'left',
    value: at / 7,
  }))
  const report = {
    kind: 'scan',
    started_at: '2026-11-20T08:00:00Z',
    ended_at: '2026-11-20T08:05:00Z',
    summary: {},
  }
  let stored = 0
  const again = async () => {
    if (stored >= 1_000) return ask(`${url}/reports?limit=100`, headers)
    stored += 1
    const body = JSON.stringify({ ...report, client_report_id: randomUUID(), measurements })
    return ask(`${url}/reports`, headers, body)
  }
  return { what: '1,000 reports of 256 KiB, then their list', again, atOnce: 8 }
}

function badSignIns({ console }: Stage): Burden {
  const again = async () => {
    const guess = { email: `${randomUUID()}@bench.local`, password: 'not-the-password' }
    const { authorization: _none, ...headers } = await console.headers()
    const body = superjson.stringify(guess)
    await ask(`${console.url}/trpc/operator.signIn`, { ...headers, 'content-type': 'application/json' }, body)
    await scheduler.wait(60_000 / 1_000)
  }
  return { what: '1,000 bad sign-ins a minute', again, atOnce: 1 }
}

function batchesOfSums({ console }: Stage): Burden {
  const batch = (count: number) => {
    const inputs = Array.from({ length: count }, (_, at) => [at, superjson.serialize({})])
    const query = new URLSearchParams({ batch: '1', input: JSON.stringify(Object.fromEntries(inputs)) })
    return `${console.url}/trpc/${Array.from({ length: count }, () => 'order.totals').join(',')}?${query}`
  }
  const again = async () => {
    for (const count of [60, 10]) await ask(batch(count), await console.headers())
  }
  return { what: 'batches of 60 sums', again, atOnce: 4 }
}

async function measureBurden(stage: Stage, burden: Burden, quiet: number): Promise<Line[]> {
  await stallOf(stage.api)
  const latencies = await whileBurdened(burden, () => notify(stage))
  const { computedMs, delayMs } = await stallOf(stage.api)
  const p95 = quantile(latencies, 0.95)
  return [
    {
      what: `p95 of a notification during ${burden.what}`,
      figure: milliseconds(p95),
      floor: `quiet ${milliseconds(quiet)}; median ${milliseconds(median(latencies))}`,
      ratio: p95 / quiet,
      aim: { atMost: 3 },
    },
    {
      what: 'longest the event loop computed meanwhile',
      figure: milliseconds(computedMs),
      floor: `delay ${milliseconds(delayMs)} on this machine; ${acceptableStallMs} ms`,
      ratio: computedMs / acceptableStallMs,
      aim: { atMost: 1 },
    },
  ]
}

/** Whether what is dear elsewhere keeps payers waiting: notifications at a steady rate, quiet and beside each burden. */
export async function measureStarvation(world: BenchWorld): Promise<Line[]> {
  const api = await startWatchedApi(world)
  try {
    const stage = { world, api, console: await openBenchConsole(world, api) }
    await notify(stage)
    const quiet = quantile(await notify(stage), 0.95)
    const burdens = [faultyImports(stage), await heavyReports(stage), badSignIns(stage), batchesOfSums(stage)]
    const lines: Line[] = []
    for (const burden of burdens) lines.push(...(await measureBurden(stage, burden, quiet)))
    return lines
  } finally {
    await api.stop()
  }
}
