import { Prisma } from '@meridian/db'

/**
 * The one writer of subscription days, as three named parts of a statement. `source` is a relation with the columns
 * user_id, order_id, plan_code, plan_name, days, features and platform_host. `locked` holds the subscription's
 * row lock and therefore its latest end; `granted` appends to the ledger; `projected` moves the projection.
 *
 * The rule of days: expires_after = max(effective_at, expires_before) + days, never below effective_at; every
 * feature of the grant has a clock of its own that moves by the same rule.
 */
export const purchaseGrant = (source: Prisma.Sql): Prisma.Sql => Prisma.sql`
  locked AS (
    SELECT w.*, s.seq, s.expires_at AS expires_before, date_trunc('milliseconds', now()) AS effective_at
    FROM ${source} w JOIN subscriptions s ON s.user_id = w.user_id FOR UPDATE OF s),
  granted AS (
    INSERT INTO grants (user_id, seq, previous_seq, kind, order_id, plan_code, plan_name, days, features,
                        effective_at, expires_before, expires_after, platform_host)
    SELECT user_id, seq + 1, nullif(seq, 0), 'purchase', order_id, plan_code, plan_name, days, features,
           effective_at, expires_before,
           greatest(effective_at, greatest(effective_at, expires_before) + days * interval '24 hours'), platform_host
    FROM locked
    RETURNING user_id, seq, days, features, effective_at, expires_after),
  projected AS (
    UPDATE subscriptions s SET seq = g.seq, expires_at = g.expires_after,
      feature_expires_at = s.feature_expires_at || coalesce((
        SELECT jsonb_object_agg(feature, greatest(g.effective_at,
                 greatest(g.effective_at, (s.feature_expires_at ->> feature)::timestamptz) + g.days * interval '24 hours'))
        FROM unnest(g.features) feature), '{}')
    FROM granted g WHERE s.user_id = g.user_id
    RETURNING s.user_id)`

/** The empty subscription that every user has from the first login on, so that there is always a row to lock. */
export const openedSubscription = (users: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`INSERT INTO subscriptions (user_id) SELECT id FROM ${users} ON CONFLICT (user_id) DO NOTHING`
