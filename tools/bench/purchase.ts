import { createPrivateKey, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { openPool, type Pool } from '@meridian/db'
import { systemRuntime } from '@meridian/payments'
import { pino } from 'pino'
import { readConfig } from '../../apps/api/src/config.ts'
import type { PurchaseIntent } from '../../apps/api/src/orders/open-order.ts'
import { buyPlan } from '../../apps/api/src/payments/buy-plan.ts'
import { atDoor, openServices } from '../../apps/api/src/services.ts'
import { config } from './config.ts'
import { contender, medianRate, ratiosTo, takeTurns } from './measure.ts'
import type { BenchWorld } from './open-world.ts'
import { inParallel } from './paid-road.ts'
import { type Line, rate } from './table.ts'

const perRound = 200
type Buyer = { userId: string; openid: string; key: string }

const insert = `
  INSERT INTO orders (out_trade_no, user_id, plan_code, plan_name, duration_days, features, amount_fen, payer_openid,
    app_id, mch_id, platform_host, idempotency_key, expires_at)
  VALUES ($1, $2, 'monthly', '月度会员', 30, '{report_detail,manual_treatment}', 2900, $3, $4, $5, 'bench', $6,
    now() + interval '30 minutes') RETURNING id`
const update = `
  UPDATE orders SET status = 'prepay', prepay_id = $2, prepay_expires_at = now() + interval '2 hours' WHERE out_trade_no = $1`

/** Two signatures, one insert and one update: what no purchase can do without. */
function bareBuyer(world: BenchWorld, pool: Pool) {
  const { merchantPrivateKey, appId, mchId } = world.platform.settings()
  const key = createPrivateKey(merchantPrivateKey)
  const signed = promisify(sign)
  const message = Buffer.alloc(600, 'a')
  return async ({ userId, openid, key: idempotencyKey }: Buyer) => {
    const outTradeNo = `M${idempotencyKey.toUpperCase().slice(0, 26)}`
    const values = [outTradeNo, userId, openid, appId, mchId, idempotencyKey]
    await pool.query({ name: 'bare-insert', text: insert, values })
    await signed('RSA-SHA256', message, key)
    await pool.query({ name: 'bare-update', text: update, values: [outTradeNo, 'wx'] })
    await signed('RSA-SHA256', message, key)
  }
}

/** The platform's last answer, truly signed, given again and again without the platform. */
export function platformAtOnce() {
  let kept: { body: ArrayBuffer; headers: Headers } | null = null
  const fetchAtOnce: typeof fetch = async (input, init) => {
    if (kept) return new Response(kept.body, { headers: kept.headers })
    const answer = await fetch(input, init)
    kept = { body: await answer.clone().arrayBuffer(), headers: answer.headers }
    return answer
  }
  const forget = () => {
    kept = null
  }
  return { fetchAtOnce, forget }
}

export async function buyers(world: BenchWorld, count: number): Promise<Buyer[]> {
  const { rows } = await world.services.database.pool.query<Buyer>(
    `SELECT id AS "userId", openid, replace(gen_random_uuid()::text, '-', '') AS key FROM users
     WHERE openid LIKE 'oBench%' ORDER BY random() LIMIT $1`,
    [count],
  )
  return rows
}

export const intentOf = ({ userId, openid, key }: Buyer): PurchaseIntent => ({
  buyer: { userId, openid, requestId: key },
  planCode: 'monthly',
  expectedAmountFen: 2900,
  idempotencyKey: key,
  platform: 'ios',
  channels: ['jsapi'],
  loginCode: null,
})

/** A purchase in process, its platform answering at once, beside the least it consists of. */
export async function measurePurchase(world: BenchWorld): Promise<Line[]> {
  const { fetchAtOnce, forget } = platformAtOnce()
  const runtime = { ...systemRuntime, fetch: fetchAtOnce }
  const opened = openServices(readConfig(world.environment), pino({ level: 'silent' }), runtime)
  const services = atDoor(opened, 'payments')
  const pool = openPool(world.environment['DATABASE_URL'] ?? '', {
    maxConnections: opened.shares.payments,
  })
  const bare = bareBuyer(world, pool)
  let queue: Buyer[] = []
  const buy = (buyer: Buyer) => buyPlan(services, intentOf(buyer))
  const ours = contender(() => inParallel(queue.splice(0, perRound), buy))
  const floor = contender(() => inParallel(queue.splice(0, perRound), bare))
  try {
    await takeTurns({
      rounds: config.rounds,
      groups: [[ours], [floor]],
      watched: { PostgreSQL: world.postmaster, generator: process.pid },
      prepare: async () => {
        queue = await buyers(world, 2 * perRound + 1)
        // An answer's signature is fresh for five minutes only.
        forget()
        await Promise.all(queue.splice(0, 1).map(buy))
      },
    })
    return [
      {
        what: 'purchase, the platform answering at once',
        figure: rate(medianRate(ours)),
        floor: `two signatures, insert, update ${rate(medianRate(floor))}`,
        ...ratiosTo(ours, [floor]),
        aim: { atLeast: 0.8 },
      },
    ]
  } finally {
    await Promise.all([opened.database.close(), pool.end()])
  }
}
