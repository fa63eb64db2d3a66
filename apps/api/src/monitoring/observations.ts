import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import type { PlatformCall, VerifiedPush } from '@meridian/payments'

/** What only the process sees that it happens to, and what conditions are judged by. */
export type ObservationKind =
  | `${PlatformCall['platform']}_${'answered' | 'unanswered'}`
  | `delivery_${'accepted' | 'refused' | 'unverified'}`
  | `payment_request_${'served' | 'failed'}`
  | 'limits_alone'
  | 'database_went_back'

/** What a push can be about. */
type PushKind = VerifiedPush['kind']

/** How a delivery at the notification door ended: accepted, or why not. */
type DeliveryEnd = { status: number; reason: string | null }

type ObservationCounts = ReadonlyMap<ObservationKind, number>

export type Observations = {
  note: (kind: ObservationKind, count?: number) => void
  sawCall: (call: PlatformCall) => void
  sawDelivery: (end: DeliveryEnd) => void
  /** A push that was verified, by what it is about. */
  sawPush: (kind: PushKind) => void
  /** What was counted since the last time. */
  take: () => ObservationCounts
  /** Who else wants to know of each one as it happens. */
  onCall: (listener: (call: PlatformCall) => void) => void
  onDelivery: (listener: (end: DeliveryEnd) => void) => void
  onPush: (listener: (kind: PushKind) => void) => void
}

const unanswered: readonly string[] = ['timeout', 'unreachable']

/**
 * What a delivery says about our keys. A wrong signature under a key that we know, on a fresh message, may be anybody's;
 * what was refused after its signature held is the platform's. Probes are wrong on purpose, everything else is a stranger's.
 */
function kindOfDelivery({ status, reason }: DeliveryEnd): ObservationKind | null {
  if (status === 204 || status === 200) return 'delivery_accepted'
  if (reason === 'bad_signature') return 'delivery_unverified'
  return status === 400 || status === 409 ? 'delivery_refused' : null
}

/** Counts in memory, so that a flood costs the database nothing; somebody writes it down now and then. */
export function openObservations(): Observations {
  let counts = new Map<ObservationKind, number>()
  const callListeners: ((call: PlatformCall) => void)[] = []
  const deliveryListeners: ((end: DeliveryEnd) => void)[] = []
  const pushListeners: ((kind: PushKind) => void)[] = []
  const note = (kind: ObservationKind, count = 1) => counts.set(kind, (counts.get(kind) ?? 0) + count)
  return {
    note,
    sawCall: (call) => {
      note(`${call.platform}_${unanswered.includes(call.outcome) ? 'unanswered' : 'answered'}`)
      for (const listener of callListeners) listener(call)
    },
    sawDelivery: (end) => {
      const kind = kindOfDelivery(end)
      if (kind) note(kind)
      for (const listener of deliveryListeners) listener(end)
    },
    sawPush: (kind) => {
      for (const listener of pushListeners) listener(kind)
    },
    take: () => {
      const taken = counts
      counts = new Map()
      return taken
    },
    onCall: (listener) => callListeners.push(listener),
    onDelivery: (listener) => deliveryListeners.push(listener),
    onPush: (listener) => pushListeners.push(listener),
  }
}

/** How often something was seen lately, from the first to the last of these in ms, and when last within the day that is kept. */
export type Seen = { recent: number; recentMs: number; lastAt: Date | null }

const seenColumns = {
  kind: column.text,
  recent: column.integer,
  recentMs: column.integer,
  lastAt: column.instant,
}

/** What all processes together saw of these kinds: how often since the instant that stands beside each, and when last. */
export async function readObservations(
  pool: Pool,
  asked: ReadonlyMap<ObservationKind, Date>,
  until: Date,
): Promise<(kind: ObservationKind) => Seen> {
  const rows = await execute(
    pool,
    query(
      null,
      Prisma.sql`
      SELECT kind, coalesce(sum(count) FILTER (WHERE at > since), 0)::int AS recent, max(at) AS "lastAt",
        coalesce(extract(epoch FROM max(at) - min(at) FILTER (WHERE at > since)) * 1000, 0)::int AS "recentMs"
      FROM unnest(${[...asked.keys()]}::text[], ${[...asked.values()]}::timestamptz[]) AS asked (kind, since)
      JOIN observation_counts USING (kind) WHERE at <= ${until}::timestamptz
      GROUP BY kind`,
      seenColumns,
    ),
  )
  return (kind) => rows.find((row) => row.kind === kind) ?? { recent: 0, recentMs: 0, lastAt: null }
}

/** Whether one was last seen after the other was, or the other never. */
export const isLater = (one: Seen, other: Seen): boolean =>
  one.lastAt !== null && (other.lastAt === null || one.lastAt > other.lastAt)
