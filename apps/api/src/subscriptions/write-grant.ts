import { type Part, Prisma, part, type Reading, reading } from '@meridian/db'
import { utcJsonTextSql } from '../platform/time/utc-text.ts'
import { settingSql } from '../settings/read-settings.ts'

/** What grants carry that no order brought. */
export const grantedFeaturesSql = Prisma.sql`ARRAY(SELECT jsonb_array_elements_text(${settingSql('granted_features')}))`

/** The rule of days, for a subscription or one feature: where its end lies after days are added or taken. */
export const endAfterSql = (before: Prisma.Sql, days: Prisma.Sql, effectiveAt: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`greatest(${effectiveAt}, greatest(${effectiveAt}, ${before}) + ${days} * interval '24 hours')`

/** What a grant takes as its instant. */
export const grantInstantSql = Prisma.sql`date_trunc('milliseconds', business_now())`

/** The rule for the clock of one `feature` of the grant `g`. */
const clockAfterSql = endAfterSql(
  Prisma.sql`(s.feature_expires_at ->> feature)::timestamptz`,
  Prisma.sql`g.days`,
  Prisma.sql`g.effective_at`,
)

/** One grant: where its subscription stands under its lock, the ledger entry, and the projection moved. */
type GrantParts<Reads extends string> = readonly [
  Part<'locked', Reads>,
  Part<'granted', 'locked'>,
  Part<'projected', 'granted'>,
]

/** The ledger entry and the projection of what is `locked`. */
export const appendGrantParts = [
  part(
    'granted',
    ['locked'],
    Prisma.sql`
    INSERT INTO grants (user_id, seq, previous_seq, kind, order_id, refund_id, operator_id, serial_number,
                        reason, plan_code, plan_name, days, features, effective_at, expires_before, expires_after, platform_host)
    SELECT user_id, seq + 1, nullif(seq, 0), kind, order_id, refund_id, operator_id, serial_number,
           reason, plan_code, plan_name, days, features, effective_at, expires_before,
           ${endAfterSql(Prisma.sql`expires_before`, Prisma.sql`days`, Prisma.sql`effective_at`)}, platform_host
    FROM locked
    RETURNING user_id, seq, days, features, effective_at, expires_after`,
  ),
  part(
    'projected',
    ['granted'],
    Prisma.sql`
    UPDATE subscriptions s SET seq = g.seq, expires_at = g.expires_after,
      feature_expires_at = s.feature_expires_at || coalesce((
        SELECT jsonb_object_agg(feature, ${utcJsonTextSql(clockAfterSql)})
        FROM unnest(g.features) feature), '{}')
    FROM granted g WHERE s.user_id = g.user_id
    RETURNING s.user_id`,
  ),
] as const

/**
 * The one writer of subscription days, as three parts of a statement. `source` is a relation with the columns
 * user_id, kind, order_id, refund_id, operator_id, serial_number, reason, plan_code, plan_name, days, features and
 * platform_host. `locked` holds the subscription's row lock and therefore its latest end; `granted` appends to the ledger;
 * `projected` moves the projection.
 *
 * Several grants in one statement are of as many users, whose subscriptions are locked in the order of their ids, so that
 * two such statements never wait for each other.
 *
 * The rule of days: expires_after = max(effective_at, expires_before) + days, never below effective_at; every
 * feature of the grant has a clock of its own that moves by the same rule.
 */
export const writeGrantParts = <Reads extends string>(source: Reading<Reads>): GrantParts<Reads> => [
  part(
    'locked',
    source.reads,
    Prisma.sql`
    SELECT w.*, s.seq, s.expires_at AS expires_before, ${grantInstantSql} AS effective_at
    FROM ${source.sql} w JOIN subscriptions s ON s.user_id = w.user_id
    ORDER BY w.user_id FOR NO KEY UPDATE OF s`,
  ),
  ...appendGrantParts,
]

/**
 * The same where `source` has locked the subscriptions already and has where they stand, seq and expires_before, as
 * further columns: `locked` is what it holds.
 */
export const writeHeldGrantParts = <Reads extends string>(source: Reading<Reads>): GrantParts<Reads> => [
  part(
    'locked',
    source.reads,
    Prisma.sql`SELECT w.*, ${grantInstantSql} AS effective_at FROM ${source.sql} w`,
  ),
  ...appendGrantParts,
]

const purchaseColumns = Prisma.sql`
    user_id, 'purchase'::grant_kind AS kind, id AS order_id, NULL::bigint AS refund_id, NULL::uuid AS operator_id,
    NULL::text AS serial_number, NULL::text AS reason, plan_code, plan_name, duration_days AS days, features, platform_host`

/** The grant of a paid order: `moved` is a relation of orders. */
export const purchaseGrantOf = <Reads extends string>({ reads, sql }: Reading<Reads>): Reading<Reads> =>
  reading(reads, Prisma.sql`(SELECT ${purchaseColumns} FROM ${sql})`)

/** The same where `moved` holds the locks of the subscriptions, and has seq and expires_before. */
export const heldPurchaseGrantOf = <Reads extends string>({ reads, sql }: Reading<Reads>): Reading<Reads> =>
  reading(reads, Prisma.sql`(SELECT ${purchaseColumns}, seq, expires_before FROM ${sql})`)

/** Days taken back for a refund: `revoked` is a relation with user_id, refund_id, days_taken and features. */
export const revocationGrantOf = <Reads extends string>({ reads, sql }: Reading<Reads>): Reading<Reads> =>
  reading(
    reads,
    Prisma.sql`(
  SELECT user_id, 'refund_revocation'::grant_kind AS kind, NULL::bigint AS order_id, refund_id, NULL::uuid AS operator_id,
    NULL::text AS serial_number, NULL::text AS reason, NULL::text AS plan_code, NULL::text AS plan_name,
    -days_taken AS days, features, NULL::text AS platform_host
  FROM ${sql} WHERE days_taken > 0)`,
  )

/** Days that no order brought: `given` is a relation with user_id, operator_id, serial_number, reason and days. */
export const givenDaysGrantOf = (
  kind: 'admin_grant' | 'trial' | 'integration_grant',
  given: Prisma.Sql,
): Reading<never> =>
  reading(
    [],
    Prisma.sql`(
  SELECT user_id, ${kind}::grant_kind AS kind, NULL::bigint AS order_id, NULL::bigint AS refund_id, operator_id,
    serial_number, reason, NULL::text AS plan_code, NULL::text AS plan_name, days, ${grantedFeaturesSql} AS features,
    NULL::text AS platform_host
  FROM ${given})`,
  )

/** The empty subscription that every user has from the first login on, so that there is always a row to lock. */
export const openSubscriptionSql = (users: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`INSERT INTO subscriptions (user_id) SELECT id FROM ${users} ON CONFLICT (user_id) DO NOTHING`
