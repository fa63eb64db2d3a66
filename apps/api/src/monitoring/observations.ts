import type { PlatformCall } from '@meridian/payments'

/** What only the process sees that it happens to, and what conditions are judged by. */
export type ObservationKind =
  | `${PlatformCall['platform']}_${'answered' | 'unanswered'}`
  | `delivery_${'accepted' | 'refused' | 'unverified'}`
  | `payment_request_${'served' | 'failed'}`
  | 'limits_alone'

/** How a delivery at the notification door ended: accepted, or why not. */
export type DeliveryEnd = { status: number; reason: string | null }

export type ObservationCounts = ReadonlyMap<ObservationKind, number>

export type Observations = {
  note: (kind: ObservationKind, count?: number) => void
  sawCall: (call: PlatformCall) => void
  sawDelivery: (end: DeliveryEnd) => void
  /** What was counted since the last time. */
  take: () => ObservationCounts
  /** Who else wants to know of each one as it happens. */
  onCall: (listener: (call: PlatformCall) => void) => void
  onDelivery: (listener: (end: DeliveryEnd) => void) => void
}

const unanswered: readonly string[] = ['timeout', 'unreachable']

/**
 * What a delivery says about our keys. A wrong signature under a key that we know, on a fresh message, may be anybody's;
 * what was refused after its signature held is the platform's. Probes are wrong on purpose, everything else is a stranger's.
 */
function kindOfDelivery({ status, reason }: DeliveryEnd): ObservationKind | null {
  if (status === 204) return 'delivery_accepted'
  if (reason === 'bad_signature') return 'delivery_unverified'
  return status === 400 || status === 409 ? 'delivery_refused' : null
}

/** Counts in memory, so that a flood costs the database nothing; somebody writes it down now and then. */
export function openObservations(): Observations {
  let counts = new Map<ObservationKind, number>()
  const callListeners: ((call: PlatformCall) => void)[] = []
  const deliveryListeners: ((end: DeliveryEnd) => void)[] = []
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
    take: () => {
      const taken = counts
      counts = new Map()
      return taken
    },
    onCall: (listener) => callListeners.push(listener),
    onDelivery: (listener) => deliveryListeners.push(listener),
  }
}
