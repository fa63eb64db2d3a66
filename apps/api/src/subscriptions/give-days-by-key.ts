import {
  checkViolation,
  column,
  execute,
  type Pool,
  Prisma,
  part,
  query,
  type RowOf,
  reading,
  statement,
} from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { givenDaysGrantOf, writeGrantParts } from './write-grant.ts'

const { sql } = Prisma

/** Days that a key of another system gives somebody, under the name that the system gave its call. */
export type DaysByKey = {
  apiKeyId: string
  idempotencyKey: string
  to: { userId: string } | { openid: string }
  days: number
  reason: string
}

const columns = {
  userId: column.text,
  seq: column.integer,
  days: column.integer,
  reason: column.text,
  expiresAt: column.instant,
  createdAt: column.instant,
}
export type GivenByKey = RowOf<typeof columns>

const grantSql = sql`
  g.user_id::text AS "userId", g.seq, g.days, g.reason, g.expires_after AS "expiresAt", g.effective_at AS "createdAt"`

const isRecipientSql = (to: DaysByKey['to']): Prisma.Sql =>
  'userId' in to ? sql`u.id = ${to.userId}::uuid` : sql`u.openid = ${to.openid}`

/** What the call of this name gave; `isSame` where it asked for the same as this one. */
async function findGiven(pool: Pool, given: DaysByKey): Promise<(GivenByKey & { isSame: boolean }) | null> {
  const { apiKeyId, idempotencyKey, days, reason, to } = given
  const [found] = await execute(
    pool,
    query(
      'userId' in to ? 'find-days-by-key-of-user' : 'find-days-by-key-of-openid',
      sql`SELECT ${grantSql}, g.days = ${days} AND g.reason = ${reason} AND EXISTS (
          SELECT FROM users u WHERE u.id = g.user_id AND ${isRecipientSql(to)}) AS "isSame"
        FROM integration_grants i JOIN grants g USING (user_id, seq)
        WHERE i.api_key_id = ${apiKeyId}::uuid AND i.idempotency_key = ${idempotencyKey}`,
      { ...columns, isSame: column.boolean },
    ),
  )
  return found ?? null
}

const monthInChinaSql = sql`date_trunc('month', business_now() AT TIME ZONE 'Asia/Shanghai')::date`

/**
 * One statement and so one transaction: the days count against the month of the user and the key, which the table's own
 * check limits, then the ledger entry is written by its one writer, and then the name of the call, which is unique.
 */
export const giveDaysByKeyStatement = ({ apiKeyId, idempotencyKey, to, days, reason }: DaysByKey) => {
  const counted = part(
    'counted',
    [],
    sql`
    INSERT INTO integration_grant_months AS m (api_key_id, user_id, month, days)
    SELECT ${apiKeyId}::uuid, s.user_id, ${monthInChinaSql}, ${days}::int
    FROM users u JOIN subscriptions s ON s.user_id = u.id WHERE u.erased_at IS NULL AND ${isRecipientSql(to)}
    ON CONFLICT (api_key_id, user_id, month) DO UPDATE SET days = m.days + excluded.days
    RETURNING user_id`,
  )
  const given = sql`(SELECT user_id, NULL::uuid AS operator_id, NULL::text AS serial_number, ${reason}::text AS reason,
    ${days}::int AS days FROM counted) given`
  const source = reading(['counted'], givenDaysGrantOf('integration_grant', given).sql)
  const named = part(
    'named',
    ['granted'],
    sql`INSERT INTO integration_grants (api_key_id, idempotency_key, user_id, seq)
      SELECT ${apiKeyId}::uuid, ${idempotencyKey}, user_id, seq FROM granted`,
  )
  return statement({
    name: 'userId' in to ? 'give-days-by-key-to-user' : 'give-days-by-key-to-openid',
    parts: [counted, ...writeGrantParts(source), named],
    select: reading(
      ['granted'],
      sql`SELECT g.user_id::text AS "userId", g.seq, g.days, ${reason}::text AS reason, g.expires_after AS "expiresAt",
        g.effective_at AS "createdAt" FROM granted g`,
    ),
    rows: columns,
  })
}

const repeated = ({ isSame, ...given }: GivenByKey & { isSame: boolean }) => {
  if (!isSame) throw new DomainError('idempotency_key_reused')
  return { given, isNew: false }
}

/**
 * Gives days in the name of a key, once for each name that its system gives a call: whoever repeats one learns what it
 * gave. Days count from the end of those that are there, as all do (write-grant).
 * @throws DomainError user_not_found; idempotency_key_reused for a name that another call has; grant_limit_reached beyond
 * 31 days for the user, by this key, in a calendar month of Asia/Shanghai (SPEC §17)
 */
export async function giveDaysByKey(
  pool: Pool,
  order: DaysByKey,
): Promise<{ given: GivenByKey; isNew: boolean }> {
  const before = await findGiven(pool, order)
  if (before) return repeated(before)
  try {
    const [given] = await execute(pool, giveDaysByKeyStatement(order))
    if (!given) throw new DomainError('user_not_found')
    return { given, isNew: true }
  } catch (error) {
    const meanwhile = await findGiven(pool, order).catch(() => null)
    if (meanwhile && !(error instanceof DomainError)) return repeated(meanwhile)
    if (checkViolation(error) === 'integration_grant_months_limited')
      throw new DomainError('grant_limit_reached')
    throw error
  }
}
