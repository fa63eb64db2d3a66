import { type PaymentChannel, type Sale, SaleChannel } from '@meridian/contracts'
import { column, execute, json, nullable, oneOf, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { settingSql } from '../settings/read-settings.ts'

export const ClientPlatform = z.enum(['ios', 'android', 'other'])
export type ClientPlatform = z.infer<typeof ClientPlatform>

const PlanOnSale = z.object({
  code: z.string(),
  name: z.string(),
  description: z.string(),
  nameEn: z.string().nullable(),
  descriptionEn: z.string().nullable(),
  durationDays: z.int(),
  priceFen: z.int(),
  listPriceFen: z.int().nullable(),
  features: z.array(z.string()),
  badge: z.string().nullable(),
  badgeEn: z.string().nullable(),
})
export type PlanOnSale = z.infer<typeof PlanOnSale>

/** Apple takes no order below one yuan; whether it wants whole ones is not settled (virtual payment §1.3, -15001, §9). */
export const appleLeastFen = 100

/**
 * By which channel a client platform sells, and what is said to whom it sells nothing: a relation of one row. The release
 * before wrote `allowed` alone, and sold by JSAPI. `OFFSET 0` has the setting read once: without, PostgreSQL reads it anew
 * wherever a column of the relation is used, fourteen times in a purchase.
 */
export const saleRuleSql = (platform: ClientPlatform): Prisma.Sql => Prisma.sql`
  SELECT coalesce(policy.rule ->> 'channel',
      CASE WHEN (policy.rule ->> 'allowed')::boolean THEN 'jsapi' ELSE 'none' END) AS channel, policy.rule ->> 'message' AS message
  FROM (SELECT ${settingSql('sale_policy')} -> ${platform} AS rule OFFSET 0) policy OFFSET 0`

const ruleColumns = { channel: oneOf(SaleChannel.options), message: nullable(column.text) }

/** Whether a plan is sold by the channel of `rule`: on the virtual one as an item, on iPhones from a yuan on. */
const isSoldSql = (platform: ClientPlatform): Prisma.Sql => Prisma.sql`
  (rule.channel <> 'virtual' OR (virtual_product_id IS NOT NULL AND (${platform} <> 'ios' OR price_fen >= ${appleLeastFen})))`

/** What is on sale, in the shop's order, and whether this client platform may buy. */
export async function listPlans(
  pool: Pool,
  platform: ClientPlatform,
): Promise<{ plans: PlanOnSale[]; sale: Sale }> {
  const [row] = await execute(
    pool,
    query(
      'list-plans',
      Prisma.sql`
      SELECT rule.channel, rule.message, coalesce((
        SELECT json_agg(json_build_object(
          'code', code, 'name', name, 'description', description, 'nameEn', name_en, 'descriptionEn', description_en, 'durationDays', duration_days,
          'priceFen', price_fen, 'listPriceFen', list_price_fen, 'features', features, 'badge', badge, 'badgeEn', badge_en)
          ORDER BY sort_order, code)
        FROM plans WHERE on_sale AND ${isSoldSql(platform)}), '[]') AS plans
      FROM (${saleRuleSql(platform)}) rule`,
      { plans: json(PlanOnSale.array()), ...ruleColumns },
    ),
  )
  const { channel, message } = row ?? { channel: 'none', message: null }
  return { plans: row?.plans ?? [], sale: { allowed: channel !== 'none', channel: soldBy(channel), message } }
}

const soldBy = (channel: SaleChannel): PaymentChannel | null => (channel === 'none' ? null : channel)

export type PlanSelection = {
  planCode: string
  expectedAmountFen: number | null
  platform: ClientPlatform
  /** What the client can pay by. */
  channels: readonly PaymentChannel[]
  /** Whether the call carries a login code, without which virtual payment cannot be signed. */
  hasLoginCode: boolean
}
/** What a client platform may buy of a plan: by which channel, at which price, and whether the plan is sold there. */
export type Offer = { priceFen: number; channel: SaleChannel; isSold: boolean }

/** What a client platform may buy of a plan, at which price. */
export async function findOffer(
  pool: Pool,
  { planCode, platform }: Pick<PlanSelection, 'planCode' | 'platform'>,
): Promise<Offer | null> {
  const rows = await execute(
    pool,
    query(
      'find-offer',
      Prisma.sql`
      SELECT price_fen AS "priceFen", rule.channel, ${isSoldSql(platform)} AS "isSold"
      FROM plans, (${saleRuleSql(platform)}) rule WHERE code = ${planCode} AND on_sale`,
      { priceFen: column.integer, channel: ruleColumns.channel, isSold: column.boolean },
    ),
  )
  return rows[0] ?? null
}

/**
 * The plan of this wish, when it is on sale to this client platform at the price it expects and by a channel that the
 * client can pay by: a query of one row or none.
 */
export const findOfferSql = ({
  planCode,
  expectedAmountFen,
  platform,
  channels,
  hasLoginCode,
}: PlanSelection): Prisma.Sql => Prisma.sql`
  SELECT code, name, duration_days, features, price_fen, (${settingSql('order_ttl_minutes')})::int AS ttl_minutes,
    rule.channel::payment_channel AS channel, CASE rule.channel WHEN 'virtual' THEN virtual_product_id END AS product_id
  FROM plans, (${saleRuleSql(platform)}) rule
  WHERE code = ${planCode} AND on_sale AND price_fen = coalesce(${expectedAmountFen}::int, price_fen)
    AND rule.channel <> 'none' AND rule.channel = ANY(${[...channels]}::text[]) AND ${isSoldSql(platform)}
    AND (rule.channel <> 'virtual' OR ${hasLoginCode}::boolean)`
