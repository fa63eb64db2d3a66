import { column, execute, nullable, oneOf, type PoolClient, Prisma, query } from '@meridian/db'
import type { Fact, Lines } from './told-facts.ts'

const { sql } = Prisma

/** What other systems call the kinds of the ledger. */
const causes = {
  purchase: 'purchase',
  refund_revocation: 'refund',
  trial: 'trial',
  admin_grant: 'operator',
  integration_grant: 'system',
  imported: 'import',
} as const
const kinds = [
  'purchase',
  'refund_revocation',
  'trial',
  'admin_grant',
  'integration_grant',
  'imported',
] as const

const columns = {
  userId: column.text,
  seq: column.integer,
  kind: oneOf(kinds),
  days: column.integer,
  features: column.texts,
  expiresAt: column.instant,
  at: column.instant,
  outTradeNo: nullable(column.text),
  imported: column.boolean,
}

/** An entry happens when it is written: the instant that imported days count from may lie months before. */
const entriesSql = ({ after, until }: Lines): Prisma.Sql => sql`
  SELECT g.user_id::text AS "userId", g.seq, g.kind, g.days, g.features, g.expires_after AS "expiresAt", g.created_at AS at,
    o.out_trade_no AS "outTradeNo", g.kind = 'purchase' AND o.imported IS TRUE AS imported
  FROM grants g LEFT JOIN refunds r ON r.id = g.refund_id LEFT JOIN orders o ON o.id = coalesce(g.order_id, r.order_id)
  WHERE g.id > ${after} AND g.id <= ${until} ORDER BY g.id`

/** What entries of the ledger tell: each is numbered by its user already, without a gap. */
export async function readSubscriptionFacts(client: PoolClient, lines: Lines): Promise<Fact[]> {
  const rows = await execute(client, query('read-subscription-facts', entriesSql(lines), columns))
  return rows.map(({ userId, seq, kind, days, features, expiresAt, at, outTradeNo, imported }) => ({
    type: 'subscription.changed',
    subjectKind: 'user',
    subject: userId,
    at,
    data: {
      seq,
      user_id: userId,
      days,
      cause: imported ? causes.imported : causes[kind],
      features,
      out_trade_no: outTradeNo,
      expires_at: expiresAt.toISOString(),
    },
  }))
}
