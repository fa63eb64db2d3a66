import { scheduler } from 'node:timers/promises'
import { z } from 'zod'
import { brokenInvariants, ledgerSays, untilHealed as settled } from '../faults/check-outcome.ts'
import { ownerUrl } from './gateways.ts'
import type { World } from './world.ts'

const Deliveries = z.array(
  z.object({ outTradeNo: z.string(), status: z.number().nullable(), answer: z.string() }),
)
type Delivery = z.infer<typeof Deliveries>[number]

/** 200 or 204; of a push the body counts too: 0, or nothing at all (virtual payment §4.3). */
const isAcknowledged = ({ status, answer }: Delivery) =>
  (status === 200 || status === 204) && !/"ErrCode"\s*:\s*[^0\s]/.test(answer)

export type Acknowledged = {
  /** The numbers of the payments whose notification was answered as taken. */
  numbers: ReadonlySet<string>
  /** Of those, the ones that the leader did not hold as paid, twice in a row. */
  lost: ReadonlySet<string>
  /** Of those, the ones that it does not hold as paid now. */
  unpaid: () => Promise<string[]>
  stop: () => Promise<void>
}

const lookEveryMs = 1_000

/** A standby that still lags says nothing about what is lost. */
const unpaidSql = `
  SELECT taken.number FROM unnest($1::text[]) AS taken(number) WHERE NOT pg_is_in_recovery() AND NOT EXISTS (
    SELECT FROM orders o LEFT JOIN order_attempts a ON a.order_id = o.id
    WHERE o.confirmed_at IS NOT NULL AND (o.out_trade_no = taken.number OR a.number = taken.number))`

/** Takes down what the platform holds as acknowledged; it forgets its oldest deliveries itself. */
export function watchAcknowledged({ sandboxUrl, pool }: World): Acknowledged {
  const over = new AbortController()
  const numbers = new Set<string>()
  const lost = new Set<string>()
  let before: readonly string[] = []
  const look = async () => {
    const answer = await fetch(`${sandboxUrl}/sandbox/deliveries`)
    for (const delivery of Deliveries.parse(await answer.json()))
      if (isAcknowledged(delivery)) numbers.add(delivery.outTradeNo)
  }
  const unpaid = async () => {
    await look()
    const { rows } = await pool.query<{ number: string }>(unpaidSql, [[...numbers]])
    return rows.map(({ number }) => number)
  }
  const watch = async () => {
    while (!over.signal.aborted) {
      const missing = await unpaid().catch(() => [])
      for (const number of missing) if (before.includes(number)) lost.add(number)
      before = missing
      await scheduler.wait(lookEveryMs, { signal: over.signal }).catch(() => undefined)
    }
    await look()
  }
  const watching = watch()
  return {
    numbers,
    lost,
    unpaid,
    stop: async () => {
      over.abort()
      await watching
    },
  }
}

/** Fulfilled when every payment has come home, or with what is still wrong when the time is up. */
export async function untilHealed({ pool, sandboxUrl }: World, withinMinutes: number): Promise<string[]> {
  const verdict = settled(pool, { sandboxUrl, withinMinutes })
  return verdict.then(
    ({ findings }) => findings,
    (error: unknown) => [`the database could not be judged: ${String(error)}`],
  )
}

/** Everything that is wrong with the books at the end of a drill; nothing is what must be found. */
export async function judgeBooks(world: World, acknowledged: Acknowledged): Promise<string[]> {
  const unpaid = await acknowledged.unpaid()
  const { text, isClean } = await ledgerSays({
    environment: {
      DATABASE_URL: ownerUrl,
      WECHAT_PAY_BASE_URL: world.sandboxUrl,
      WECHAT_API_BASE_URL: world.sandboxUrl,
    },
  })
  return [
    ...unpaid.map((number) => `${number} was acknowledged and is not paid`),
    ...(await brokenInvariants(world.pool)),
    ...(isClean ? [] : [`ledger:verify: ${text}`]),
  ]
}
