import { z } from 'zod'
import type { VirtualPurchase } from './phone.ts'
import type { TestWorld } from './test-world.ts'

type Channel = 'jsapi' | 'virtual' | 'none'
export type Policy = { ios: Channel; android: Channel; other: Channel }

/** Decides by which channel each platform sells, as an operator does. */
export async function setPolicy({ query }: Pick<TestWorld, 'query'>, policy: Partial<Policy>): Promise<void> {
  for (const [platform, channel] of Object.entries(policy))
    await query(
      `UPDATE settings SET value = jsonb_set(value, ARRAY[$1::text], $2::jsonb) WHERE key = 'sale_policy'`,
      [platform, JSON.stringify({ channel, allowed: channel === 'jsapi', message: null })],
    )
}

/** Sells every plan by virtual payment: an item each, published at its price, and pushes that come here. */
export async function openVirtualShop(
  world: Pick<TestWorld, 'url' | 'platform' | 'query'>,
  policy: Partial<Policy> = {},
): Promise<void> {
  await world.query(`UPDATE plans SET virtual_product_id = code WHERE virtual_product_id IS NULL`)
  const plans = await world.query<{ code: string; price_fen: number }>('SELECT code, price_fen FROM plans')
  for (const { code, price_fen: priceFen } of plans) world.platform.plantItem({ id: code, priceFen })
  world.platform.usePush({ url: `${world.url}/api/v1/wechat/push` })
  await setPolicy(world, { ios: 'virtual', android: 'virtual', other: 'virtual', ...policy })
}

const SignData = z.object({ outTradeNo: z.string() })

/** The number that was signed. */
export const numberIn = ({ payment_params: { signData } }: Pick<VirtualPurchase, 'payment_params'>): string =>
  SignData.parse(JSON.parse(signData)).outTradeNo
