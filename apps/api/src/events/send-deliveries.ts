import type { Pool } from '@meridian/db'
import { type Claimed, claimDeliveries } from './claim-deliveries.ts'
import type { InTurn } from './in-turn.ts'
import { recordOutcome } from './record-outcome.ts'
import { type Sending, tryDelivery } from './try-delivery.ts'

type Sender = Sending & {
  pool: Pool
  /** So that claims, outcomes and what is collected take one connection together, whatever is under way. */
  inTurn: InTurn
  onFailure: (error: unknown) => void
}

/**
 * Sends what is due, a few of each endpoint at once: so that one that takes its fifteen seconds keeps nobody waiting. With
 * as many endpoints as there may be that is bounded too.
 */
export function openSender({ pool, inTurn, onFailure, ...sending }: Sender) {
  const busy = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  let wake = () => {}
  const count = (endpointId: string, change: number) => {
    const tries = (busy.get(endpointId) ?? 0) + change
    if (tries > 0) busy.set(endpointId, tries)
    else busy.delete(endpointId)
  }
  const send = async (claimed: Claimed) => {
    const outcome = await tryDelivery(sending, claimed)
    // What cannot be recorded is sent again once its claim is over: at least once, with the same bytes and id.
    await inTurn(() => recordOutcome(pool, claimed, outcome)).catch(onFailure)
    count(claimed.endpointId, -1)
    wake()
  }
  return {
    /** Begins what is due and has room. Answers how much. */
    begin: async (): Promise<number> => {
      const claimed = await inTurn(() => claimDeliveries(pool, busy))
      for (const one of claimed) {
        count(one.endpointId, 1)
        const sent = send(one).finally(() => underWay.delete(sent))
        underWay.add(sent)
      }
      return claimed.length
    },
    /** Fulfilled when something is worth a look before the next turn: a try ended, or something was collected. */
    woken: () =>
      new Promise<void>((resolve) => {
        wake = resolve
      }),
    wake: () => wake(),
    /** Fulfilled when nothing is under way. */
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
