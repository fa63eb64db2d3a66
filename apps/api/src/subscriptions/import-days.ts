import { type Part, Prisma, part, type Reading, reading } from '@meridian/db'
import { appendGrantParts, grantedFeaturesSql } from './write-grant.ts'

const { sql } = Prisma

/**
 * Days that began elsewhere and at another time, as the three parts of write-grant: the ledger's rule of days holds for
 * them as for all others, but that they count from their own instant, `effective_at`. One of each user in a statement.
 */
export const writeDatedGrantParts = <Name extends string>(
  source: Reading<Name>,
): readonly [Part<'locked', Name>, ...typeof appendGrantParts] => [
  part(
    'locked',
    source.reads,
    sql`
    SELECT w.*, s.seq, s.expires_at AS expires_before
    FROM ${source.sql} w JOIN subscriptions s ON s.user_id = w.user_id
    ORDER BY w.user_id FOR NO KEY UPDATE OF s`,
  ),
  ...appendGrantParts,
]

type Imported = { kind: 'purchase' | 'imported'; reason: Prisma.Sql; features: Prisma.Sql }

/** `source` has user_id, order_id, plan_code, plan_name, days, effective_at and platform_host; the rest are expressions. */
const datedGrantOf = <Name extends string>(
  { reads, sql: rows }: Reading<Name>,
  { kind, reason, features }: Imported,
): Reading<Name> =>
  reading(
    reads,
    sql`(
  SELECT user_id, ${kind}::grant_kind AS kind, order_id, NULL::bigint AS refund_id, NULL::uuid AS operator_id,
    NULL::text AS serial_number, ${reason} AS reason, plan_code, plan_name, days, ${features} AS features,
    effective_at, platform_host
  FROM ${rows} dated)`,
  )

/** The grant of an order that was paid elsewhere. */
export const importedPurchaseOf = <Name extends string>(source: Reading<Name>): Reading<Name> =>
  datedGrantOf(source, { kind: 'purchase', reason: sql`NULL::text`, features: sql`features` })

/** What was left of somebody's days elsewhere; without features of their own they are those that are granted. */
export const importedDaysOf = <Name extends string>(source: Reading<Name>): Reading<Name> =>
  datedGrantOf(source, {
    kind: 'imported',
    reason: sql`NULL::text`,
    features: sql`coalesce(features, ${grantedFeaturesSql})`,
  })

/**
 * As many days less as the entries `source` gave, which has user_id and seq. They count from the same instant, so that the
 * end is where it was before them.
 */
export const takenBackDaysOf = <Name extends string>({ reads, sql: rows }: Reading<Name>): Reading<Name> =>
  datedGrantOf(
    reading(
      reads,
      sql`(
      SELECT g.user_id, NULL::bigint AS order_id, g.plan_code, g.plan_name, -g.days AS days, g.features, g.effective_at,
        NULL::text AS platform_host
      FROM ${rows} undone JOIN grants g USING (user_id, seq))`,
    ),
    { kind: 'imported', reason: sql`'import taken back'::text`, features: sql`features` },
  )
