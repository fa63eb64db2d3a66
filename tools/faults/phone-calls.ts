import { scheduler } from 'node:timers/promises'
import { z } from 'zod'
import type { Chance } from './chance.ts'
import type { Figures } from './figures.ts'

/** The shop as customers find it: some addresses of it, any of which will do, and the platform they pay at. */
export type Shop = { sandboxUrl: string; replicas: readonly [Address, ...Address[]] }
type Address = { url: string }

/** One call of a phone as the phone saw it; the status is null where nobody answered. */
export type SeenCall = {
  url: string
  method: string
  path: string
  startedMs: number
  endedMs: number
  status: number | null
}

export type Visit = { world: Shop; chance: Chance; figures: Figures; saw?: (call: SeenCall) => void }
type Request = { path: string; method?: string; body?: object; headers?: Record<string, string> }
type Answer = { status: number; body: unknown }

const patienceMs = 180_000
const pauseMs = 400

export async function post(url: string, body: object): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

async function callOnce(visit: Visit, request: Request): Promise<Answer> {
  const { url } = visit.chance.oneOf(visit.world.replicas)
  const { path, method = 'POST' } = request
  const startedMs = Date.now()
  const asked = ask(url, request)
  const status = await asked.then(
    (answer) => answer.status,
    () => null,
  )
  visit.saw?.({ url, method, path, startedMs, endedMs: Date.now(), status })
  const { status: answered, text } = await asked
  return { status: answered, body: text ? JSON.parse(text) : null }
}

async function ask(url: string, { path, method = 'POST', body, headers = {} }: Request) {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  })
  return { status: answer.status, text: await answer.text() }
}

const Problem = z.object({ code: z.string() })
const isInProgress = ({ status, body }: Answer) =>
  status === 409 && Problem.safeParse(body).data?.code === 'idempotency_in_progress'

/** As the client of a mini-program does it: what failed is asked again, of whichever program answers. */
export async function call(visit: Visit, request: () => Promise<Request>): Promise<Answer> {
  let last = 'nobody answered'
  for (const patienceEnds = Date.now() + patienceMs; Date.now() < patienceEnds; ) {
    try {
      const answer = await callOnce(visit, await request())
      if (answer.status < 500 && !isInProgress(answer)) return answer
      last = `${answer.status} ${JSON.stringify(answer.body)}`
    } catch (error) {
      last = String(error)
    }
    visit.figures['calls repeated by phones'] += 1
    await scheduler.wait(pauseMs)
  }
  throw new Error(`A phone gave up: ${last}`)
}
