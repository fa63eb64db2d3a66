import type { SentStatement } from '@meridian/db'
import type { TracedCall } from '@meridian/payments'
import type { Followed } from '@meridian/tracing'
import { z } from 'zod'
import type { JobRun } from '../jobs/trace-jobs.ts'

// What a span says of a piece of work: names and texts with $1, never a value, a payload, an address or a person.

const isStatement = (message: unknown): message is SentStatement =>
  typeof message === 'object' && message !== null && 'text' in message && 'name' in message
const isCall = (message: unknown): message is TracedCall =>
  typeof message === 'object' && message !== null && 'endpoint' in message && 'platform' in message
const isJobRun = (message: unknown): message is JobRun =>
  typeof message === 'object' && message !== null && 'job' in message && 'attempt' in message

const tableIn = /\b(?:FROM|INTO|UPDATE|JOIN)\s+(?:"?public"?\.)?"?([a-z_][\w.]*)/i

/** What a statement without a name of ours is called: what it does, and the first table it names. */
export function summaryOf(text: string): string {
  const act = /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'statement'
  const table = tableIn.exec(text)?.[1]
  return table ? `${act} ${table}` : act
}

/** A name that Prisma gave tells nothing. */
const isOurs = (name: string | null): name is string => name !== null && !name.startsWith('prisma_')

/** Statements: a named one stands under docs/sql or in the code under its name, others show their text. */
export const statements: Followed = {
  begin: (message) => {
    if (!isStatement(message)) return null
    const { name, text } = message
    const known = isOurs(name)
    return {
      name: known ? name : summaryOf(text),
      kind: 'client',
      attributes: {
        'db.system.name': 'postgresql',
        'db.query.summary': summaryOf(text),
        ...(known ? { 'meridian.statement': name } : { 'db.query.text': text }),
      },
    }
  },
  end: (message) => {
    const code = sqlStateOf(message)
    return code === null ? {} : { attributes: { 'db.response.status_code': code } }
  },
}

/** The five characters with which PostgreSQL says what went wrong; its message may name values. */
function sqlStateOf(message: unknown): string | null {
  if (typeof message !== 'object' || message === null || !('error' in message)) return null
  const { error } = message
  if (!(error instanceof Error) || !('code' in error)) return null
  return typeof error.code === 'string' && /^\w{2,20}$/.test(error.code) ? error.code : null
}

const unanswered: readonly string[] = ['timeout', 'unreachable']

/** Calls to WeChat: which, and how they ended. A refusal of the platform is an answer. */
export const platformCalls: Followed = {
  begin: (message) =>
    isCall(message)
      ? {
          name: `${message.platform} ${message.endpoint}`,
          kind: 'client',
          attributes: { 'meridian.platform': message.platform, 'meridian.endpoint': message.endpoint },
        }
      : null,
  end: (message) => {
    const outcome = isCall(message) ? message.outcome : undefined
    if (outcome === undefined) return {}
    return { attributes: { 'meridian.outcome': outcome }, failed: unanswered.includes(outcome) }
  },
}

const OneOrder = z.object({ outTradeNo: z.string() })
const ManyOrders = z.object({ outTradeNos: z.array(z.string()) })

/** The orders that a job names. */
function ordersIn(payload: unknown): string[] {
  const one = OneOrder.safeParse(payload)
  if (one.success) return [one.data.outTradeNo]
  return ManyOrders.safeParse(payload).data?.outTradeNos ?? []
}

/** Jobs: each run is a trace of its own, linked to the life of each order that it is about. */
export const jobRuns: Followed = {
  begin: (message) =>
    isJobRun(message)
      ? {
          name: `job ${message.job}`,
          kind: 'consumer',
          attributes: {
            'meridian.job': message.job,
            'meridian.job.id': message.id,
            'meridian.job.attempt': message.attempt,
            'meridian.job.waited_ms': message.waitedMs,
          },
        }
      : null,
  orders: (message) => (isJobRun(message) ? ordersIn(message.payload) : []),
}
