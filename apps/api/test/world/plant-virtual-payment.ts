import { randomBytes } from 'node:crypto'
import { tamper } from './tamper.ts'
import type { TestWorld } from './test-world.ts'

export type VirtualPayment = {
  system?: 'ios' | 'android'
  paidAt?: Date
  confirmedBy?: 'notification' | 'sync'
  /** Paid, and nothing given for it yet. */
  ungranted?: true
}

export type PlantedPayment = { attemptNo: string; openid: string; userId: string }

const priceFen = 2900
const newNumber = () => `M${randomBytes(13).toString('hex').toUpperCase()}`

/** A payment that the platform really took, and the paid order that stands for it here, with its days. */
export async function plantVirtualPayment(
  world: TestWorld,
  { system = 'android', paidAt, confirmedBy = 'sync', ungranted }: VirtualPayment = {},
): Promise<PlantedPayment> {
  const { virtual, runtime } = world.services
  if (!virtual) throw new Error('virtual payment is not configured')
  const { openid } = await world.phone()
  const attemptNo = newNumber()
  world.platform.plantItem({ id: 'monthly', priceFen })
  const params = await virtual.signPayment(
    { attemptNo, productId: 'monthly', amountFen: priceFen },
    { loginCode: world.platform.loginCode(openid), openid },
  )
  const at = paidAt ?? runtime.now()
  await world.platform.requestVirtualPayment(params, { openid, system, silent: true, paidAt: at })
  const time = at.toISOString()
  await tamper(
    world,
    `WITH bought AS (
      INSERT INTO orders (out_trade_no, user_id, status, channel, plan_code, plan_name, duration_days, features, amount_fen,
        payer_openid, app_id, mch_id, platform_host, virtual_product_id, expires_at, created_at, prepay_expires_at,
        paid_attempt_no, paid_at, confirmed_by, confirmed_at, trade_type)
      SELECT '${attemptNo}', id, 'paid', 'virtual', 'monthly', 'Monthly', 30, '{}', ${priceFen}, openid, '${virtual.appId}',
        '${virtual.offerId}', '${virtual.platformHost}', 'monthly', '${time}'::timestamptz + interval '30 minutes', '${time}', '${time}',
        '${attemptNo}', '${time}', '${confirmedBy}', '${time}', 'VIRTUAL'
      FROM users WHERE openid = '${openid}' RETURNING *),
    attempt AS (
      INSERT INTO order_attempts (number, order_id, signed_at, state, by_apple)
      SELECT out_trade_no, id, created_at, 'paid', ${system === 'ios'} FROM bought)
    INSERT INTO grants (user_id, seq, kind, order_id, plan_code, plan_name, days, features, effective_at, expires_after, created_at, platform_host)
    SELECT user_id, 1, 'purchase', id, plan_code, plan_name, 30, '{}', created_at, created_at + interval '30 days', created_at, platform_host
    FROM bought WHERE ${!ungranted}`,
  )
  const [user] = await world.query<{ id: string }>('SELECT id FROM users WHERE openid = $1', [openid])
  return { attemptNo, openid, userId: user?.id ?? '' }
}
