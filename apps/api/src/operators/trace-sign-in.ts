import { keptRows, SignInFailure, type SignInFailureReason } from '@meridian/contracts'
import { column, execute, nullable, type Pool, Prisma, part, query, reading, statement } from '@meridian/db'
import type { RequestMeta } from '../audit/write-audit.ts'
import { logSecurityEvent } from '../platform/log/security-event.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { keptSinceSql } from '../platform/time/kept-since.ts'
import type { Services } from '../services.ts'

const signInFailureColumns = columnsOf(SignInFailure)

const { sql } = Prisma

const kept = keptRows.sign_in_failures
const shown = 50

/** One attempt to sign in, or to prove the current password: whose, and from where. */
export type Attempt = { email: string; from: RequestMeta }

/** By what an e-mail is marked where it must not be read. */
export const emailIdentity = (email: string): string => `operator e-mail ${email.toLowerCase()}`

/**
 * Leaves the trace of a failed attempt: of a known account its id, of an unknown one a keyed hash of the e-mail and
 * its first letter.
 */
export async function traceFailure(
  { database, dataKeys, log }: Pick<Services, 'database' | 'dataKeys' | 'log'>,
  { email, from }: Attempt,
  reason: SignInFailureReason,
): Promise<void> {
  const name = email.toLowerCase()
  const mark = await dataKeys.markOf(emailIdentity(name))
  const [traced] = await execute(
    database.pool,
    statement({
      name: 'trace-sign-in-failure',
      parts: [
        part(
          'traced',
          [],
          sql`
            INSERT INTO sign_in_failures (operator_id, email_mac, email_initial, address, request_id, reason)
            SELECT o.id, CASE WHEN o.id IS NULL THEN ${mark} END, CASE WHEN o.id IS NULL THEN left(${name}, 1) END,
                   ${from.address}, ${from.requestId}, ${reason}::sign_in_failure_reason
            FROM (SELECT 1) one LEFT JOIN operators o ON o.email = ${name}
            RETURNING id, operator_id`,
        ),
        part(
          'gone',
          ['traced'],
          sql`DELETE FROM sign_in_failures WHERE id <= (SELECT id FROM traced) - ${kept}`,
        ),
      ],
      select: reading(['traced'], sql`SELECT operator_id AS "operatorId" FROM traced`),
      rows: { operatorId: nullable(column.text) },
    }),
  )
  logSecurityEvent(log, 'sign_in_failed', {
    reason,
    operator: traced?.operatorId ?? null,
    address: from.address,
    requestId: from.requestId,
  })
}

/** The latest failed sign-ins, the newest first. */
export const listSignInFailures = (pool: Pool): Promise<SignInFailure[]> =>
  execute(
    pool,
    query(
      'list-sign-in-failures',
      sql`
      SELECT f.id::text AS id, f.at, f.operator_id AS "operatorId",
             left(coalesce(o.email, f.email_initial), 1) || '••••' || coalesce(substring(o.email FROM '@.*$'), '') AS who,
             f.address, f.reason::text AS reason
      FROM sign_in_failures f LEFT JOIN operators o ON o.id = f.operator_id ORDER BY f.id DESC LIMIT ${shown}`,
      signInFailureColumns,
    ),
  )

/** Old traces and those beyond their number, at most so many at once. */
export const expiredSignInFailuresSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM sign_in_failures WHERE id IN (
    SELECT id FROM sign_in_failures WHERE at < ${keptSinceSql('sign_in_failures')}
      OR id <= (SELECT id FROM sign_in_failures ORDER BY id DESC OFFSET ${kept} LIMIT 1)
    ORDER BY id LIMIT ${limit})
  RETURNING 1 AS gone`
