import {
  needsSecondFactor,
  type OwnAccount,
  type StaffDetail,
  type StaffListQuery,
  StaffMember,
  type TwoWayPage,
} from '@meridian/contracts'
import { execute, type OpenDatabase, type Pool, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { byAge, instantColumn, uuidColumn } from '../platform/paging/keyset.ts'
import { readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { allOfSql } from '../platform/sql/conditions.ts'
import { listSessions } from './sessions.ts'
import type { SignedInOperator } from './sign-in.ts'
import { listConfirmers } from './trust-factor.ts'

const { sql } = Prisma

const staffMemberColumns = columnsOf(StaffMember)

const { oldest } = byAge({ key: instantColumn(sql`created_at`), id: uuidColumn(sql`id`) })

const ofOperator = sql`FROM operator_sessions s WHERE s.operator_id = o.id`
const columns = sql`
  id, email, name, role, must_change_password AS "mustChangePassword", created_at AS "createdAt",
  disabled_at AS "disabledAt", password_expires_at AS "passwordExpiresAt",
  totp_confirmed_at IS NOT NULL AS enrolled, factor_trusted_from AS "factorTrustedFrom",
  identity_subject IS NOT NULL AS bound, (SELECT max(last_seen_at) ${ofOperator}) AS "lastSeenAt",
  (SELECT count(*)::int ${ofOperator} AND revoked_at IS NULL AND expires_at > business_now()
     AND last_seen_at > business_now() - interval '2 hours') AS "openSessions"`

const conditions = ({ role, state }: StaffListQuery): Prisma.Sql =>
  allOfSql(
    role && sql`role = ${role}::operator_role`,
    state && (state === 'enabled' ? sql`disabled_at IS NULL` : sql`disabled_at IS NOT NULL`),
  )

/** One page of those who work with the console, in the order they came. */
export const listStaff = (pool: Pool, asked: StaffListQuery): Promise<TwoWayPage<StaffMember>> =>
  readPage(
    pool,
    { sort: oldest, asked, columns: staffMemberColumns, isShort: true },
    ({ position, page }) =>
      sql`SELECT ${columns}, ${position} FROM operators o WHERE ${conditions(asked)} AND ${page}`,
  )

const countUnusedCodes = ({ prisma }: OpenDatabase, operatorId: string) =>
  prisma.recoveryCode.count({ where: { operatorId, usedAt: null } })

/**
 * One of those who work with the console, with their open sessions.
 * @throws DomainError not_found
 */
export async function showStaff(
  database: OpenDatabase,
  operatorId: string,
  { sessionId: currentSessionId, at: now }: SignedInOperator,
): Promise<StaffDetail> {
  const [member] = await execute(
    database.pool,
    query(null, sql`SELECT ${columns} FROM operators o WHERE id = ${operatorId}::uuid`, staffMemberColumns),
  )
  if (!member) throw new DomainError('not_found')
  const [unusedRecoveryCodes, sessions] = await Promise.all([
    countUnusedCodes(database, operatorId),
    listSessions(database.prisma, { operatorId, currentSessionId, now }),
  ])
  return { ...member, unusedRecoveryCodes, sessions }
}

/** What an operator sees of their own account. */
export async function showOwnAccount(database: OpenDatabase, session: SignedInOperator): Promise<OwnAccount> {
  const { operator, enrolled, sessionId, factorTrustedFrom, at: now } = session
  const [confirmers, unusedRecoveryCodes, sessions] = await Promise.all([
    listConfirmers(database, session),
    countUnusedCodes(database, operator.id),
    listSessions(database.prisma, { operatorId: operator.id, currentSessionId: sessionId, now }),
  ])
  const required = needsSecondFactor(operator.role)
  return { operator, enrolled, required, factorTrustedFrom, confirmers, unusedRecoveryCodes, sessions }
}
