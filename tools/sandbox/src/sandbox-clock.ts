import { setTimeout as pause } from 'node:timers/promises'
import type { PlatformCore } from '@meridian/payments/testing'
import { z } from 'zod'
import { PhoneRefusal } from './phone-acts.ts'

const dayMs = 86_400_000
const apiPatienceMs = 5_000
const readAgainMs = 2_000

const Ready = z.object({ now: z.coerce.date() })
const Steps = z.object({ days: z.number().min(0).max(400), hours: z.number().min(0).max(10_000) }).partial()

/** The clock of the API that works with this sandbox. */
export type ApiClock = {
  /** How far it is ahead of this machine's, in milliseconds; fails where nobody can be asked. */
  readAheadMs: () => Promise<number>
  /** Moves it forward and answers how far it is ahead then, in milliseconds. */
  move: (byMs: number) => Promise<number>
  /** Lets the jobs that are due now be done. */
  waitForJobs: () => Promise<unknown>
}

type ClockOwner = {
  /** Without it the clock stands: platform and API must agree on what is now. */
  apiClock: ApiClock | null
  apiUrl: string
}

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

/** The one clock of a sandbox: kept by the API, moved from here. */
export function sandboxClock(platform: PlatformCore, { apiClock, apiUrl }: ClockOwner): SandboxClock {
  const stopping = new AbortController()
  let turn: Promise<unknown> = Promise.resolve()
  const show = () => ({ now: platform.now(), movable: apiClock !== null })
  const step = async (clock: ApiClock, byMs: number) => {
    await platform.moveClock(byMs, async () => {
      const aheadMs = await clock.move(byMs)
      await untilApiFollows(apiUrl, new Date(Date.now() + aheadMs))
    })
    await clock.waitForJobs()
  }
  const move = async (body: Record<string, unknown>) => {
    const { days = 0, hours = 0 } = Steps.parse(body)
    if (apiClock === null) throw new PhoneRefusal('The clock stands: the sandbox was given no DATABASE_URL.')
    for (const ms of stepsOf(Math.round((days * 24 + hours) * 3_600_000))) await step(apiClock, ms)
    return show()
  }
  const follow = async (clock: ApiClock) => {
    while (!stopping.signal.aborted) {
      const aheadMs = await clock.readAheadMs().catch(() => null)
      if (aheadMs !== null) return platform.setClock(aheadMs)
      await pause(readAgainMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
  }
  if (apiClock !== null) turn = follow(apiClock)
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
