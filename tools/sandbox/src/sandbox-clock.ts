import { setTimeout as pause } from 'node:timers/promises'
import { schedule } from '@meridian/contracts'
import { moveClock, readClock, waitForIdleQueue } from '@meridian/db/clock'
import type { PlatformCore } from '@meridian/payments/testing'
import { z } from 'zod'
import type { SandboxConfig } from './config.ts'
import { PhoneRefusal } from './phone-acts.ts'

const dayMs = 86_400_000
/** What the jobs of one step may take before the next one begins. */
const jobsPatienceMs = 15_000
const apiPatienceMs = 5_000
const readAgainMs = 2_000

const Ready = z.object({ now: z.coerce.date() })
const Steps = z.object({ days: z.number().min(0).max(400), hours: z.number().min(0).max(10_000) }).partial()

export type SandboxClock = {
  show: () => { now: Date; movable: boolean }
  /** Moves API and platform together, a day at a time, and lets the jobs of each day be done. */
  move: (body: Record<string, unknown>) => Promise<{ now: Date; movable: boolean }>
  stop: () => void
}

/** Waits until the API takes this instant for now; one that is away will read it when it comes. */
async function untilApiFollows(apiUrl: string, instant: Date): Promise<void> {
  for (const endsAt = performance.now() + apiPatienceMs; performance.now() < endsAt; await pause(50)) {
    const answer: unknown = await fetch(`${apiUrl}/readyz`)
      .then((response) => response.json())
      .catch(() => null)
    const ready = Ready.safeParse(answer)
    if (!ready.success || ready.data.now >= instant) return
  }
}

/** The steps of a way of so many milliseconds: whole days, then the rest. */
const stepsOf = (ms: number): number[] => [
  ...Array.from({ length: Math.floor(ms / dayMs) }, () => dayMs),
  ...(ms % dayMs > 0 ? [ms % dayMs] : []),
]

/** The one clock of a sandbox: kept by the API's database, moved from here. */
export function sandboxClock(platform: PlatformCore, { databaseUrl, apiUrl }: SandboxConfig): SandboxClock {
  const stopping = new AbortController()
  let turn: Promise<unknown> = Promise.resolve()
  const show = () => ({ now: platform.now(), movable: databaseUrl !== null })
  const step = async (url: string, byMs: number) => {
    await platform.moveClock(byMs, async () => {
      const aheadMs = await moveClock(url, { byMs, schedule })
      await untilApiFollows(apiUrl, new Date(Date.now() + aheadMs))
    })
    await waitForIdleQueue(url, { workersName: 'meridian-jobs', patienceMs: jobsPatienceMs })
  }
  const move = async (body: Record<string, unknown>) => {
    const { days = 0, hours = 0 } = Steps.parse(body)
    if (databaseUrl === null)
      throw new PhoneRefusal('The clock stands: the sandbox was given no DATABASE_URL.')
    for (const ms of stepsOf(Math.round((days * 24 + hours) * 3_600_000))) await step(databaseUrl, ms)
    return show()
  }
  const followDatabase = async (url: string) => {
    while (!stopping.signal.aborted) {
      const aheadMs = await readClock(url).catch(() => null)
      if (aheadMs !== null) return platform.setClock(aheadMs)
      await pause(readAgainMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
  }
  if (databaseUrl !== null) turn = followDatabase(databaseUrl)
  return {
    show,
    move: (body) => {
      const moved = turn.then(() => move(body))
      turn = moved.catch(() => undefined)
      return moved
    },
    stop: () => stopping.abort(),
  }
}
