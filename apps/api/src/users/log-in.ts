import type { TokenPair } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, part, reading, statement } from '@meridian/db'
import { type MiniProgram, MiniProgramError, type MiniProgramReason } from '@meridian/payments'
import { DomainError } from '../platform/errors/domain-error.ts'
import { newId } from '../platform/ids/new-id.ts'
import { keptSinceSql } from '../platform/time/business-time.ts'
import type { Services } from '../services.ts'
import { openSubscriptionSql } from '../subscriptions/write-grant.ts'
import { hashToken, newRefreshToken, signTokens } from './user-tokens.ts'

const answers = {
  invalid_code: 'invalid_login_code',
  blocked: 'user_disabled',
  misconfigured: 'login_not_configured',
} as const

const isAnswered = (reason: MiniProgramReason): reason is keyof typeof answers => reason in answers

/**
 * Whose code of `wx.login` this is; asking uses it up.
 * @throws DomainError invalid_login_code, user_disabled, login_not_configured, service_unavailable
 */
export async function openidOf(miniProgram: MiniProgram, code: string): Promise<string> {
  try {
    return (await miniProgram.login(code)).openid
  } catch (error) {
    if (!(error instanceof MiniProgramError)) throw error
    if (isAnswered(error.reason)) throw new DomainError(answers[error.reason], { cause: error })
    throw new DomainError('service_unavailable', { retryAfterSeconds: 5, cause: error })
  }
}

/**
 * The user of this openid with their subscription row, made at the first login. Null while an account that this
 * person had erased is banned, and where `id` names somebody else by now. A new user gets `id`.
 */
export async function meetUser(
  pool: Pool,
  { openid, mac, id = newId() }: { openid: string; mac: string; id?: string },
): Promise<{ id: string; disabled: boolean } | null> {
  const [user] = await execute(
    pool,
    statement({
      name: 'meet-user',
      parts: [
        part(
          'met',
          [],
          Prisma.sql`
            INSERT INTO users (id, openid) SELECT ${id}::uuid, ${openid}
            WHERE NOT EXISTS (SELECT 1 FROM users WHERE openid_mac = ${mac} AND disabled_at IS NOT NULL)
              AND NOT EXISTS (SELECT 1 FROM users WHERE id = ${id}::uuid AND openid <> ${openid})
            ON CONFLICT (openid) DO UPDATE SET openid = excluded.openid
            RETURNING id, disabled_at IS NOT NULL AS disabled`,
        ),
        part('subscribed', ['met'], openSubscriptionSql(Prisma.sql`met`)),
      ],
      select: reading(['met'], Prisma.sql`SELECT id, disabled FROM met`),
      rows: { id: column.text, disabled: column.boolean },
    }),
  )
  return user ?? null
}

/** Opens a family of tokens, 180 days at most, 30 days from the last use, and answers its first pair. */
export async function openFamily(
  { database: { pool }, config, runtime }: Pick<Services, 'database' | 'config' | 'runtime'>,
  userId: string,
): Promise<TokenPair> {
  const familyId = newId()
  const refreshToken = newRefreshToken()
  await execute(
    pool,
    statement({
      name: 'open-token-family',
      parts: [
        part(
          'family',
          [],
          Prisma.sql`
            INSERT INTO token_families (id, user_id, expires_at)
            VALUES (${familyId}::uuid, ${userId}::uuid, business_now() + interval '4320 hours') RETURNING id`,
        ),
      ],
      select: reading(
        ['family'],
        Prisma.sql`
          INSERT INTO refresh_tokens (token_hash, family_id, expires_at)
          SELECT ${hashToken(refreshToken)}, id, business_now() + interval '720 hours' FROM family`,
      ),
    }),
  )
  return signTokens(config.JWT_SECRET, { userId, familyId, refreshToken, now: runtime.now() })
}

/**
 * Trades a code of `wx.login` for our own tokens.
 * @throws DomainError invalid_login_code, user_disabled, login_not_configured, service_unavailable
 */
export async function logIn(services: Services, code: string): Promise<TokenPair> {
  const { miniProgram, database, dataKeys } = services
  if (!miniProgram) throw new DomainError('login_not_configured')
  const openid = await openidOf(miniProgram, code)
  const user = await meetUser(database.pool, { openid, mac: await dataKeys.markOf(openid) })
  if (!user || user.disabled) throw new DomainError('user_disabled')
  return openFamily(services, user.id)
}

/** Sign-ins of users whose time is over, with all their refresh tokens, at most so many at once. */
export const purgeSignInsSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM token_families WHERE id IN (
    SELECT id FROM token_families WHERE expires_at < ${keptSinceSql('token_families')} ORDER BY expires_at LIMIT ${limit})
  RETURNING 1 AS gone`
