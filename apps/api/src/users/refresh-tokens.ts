import type { TokenPair } from '@meridian/contracts'
import {
  column,
  execute,
  type Pool,
  type PoolClient,
  Prisma,
  part,
  query,
  type RowOf,
  reading,
  statement,
} from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import type { Services } from '../services.ts'
import { hashToken, newRefreshToken, signTokens } from './user-tokens.ts'

const rotationColumns = {
  userId: column.text,
  familyId: column.text,
  renewed: column.boolean,
  reused: column.boolean,
  disabled: column.boolean,
}
type Rotation = RowOf<typeof rotationColumns>

/** Makes the uses of one family's tokens queue up, so that the next statement sees each that came before. */
const lockFamily = (client: PoolClient, tokenHash: Buffer) =>
  execute(
    client,
    query(
      'lock-token-family',
      Prisma.sql`
      SELECT id FROM token_families
      WHERE id = (SELECT family_id FROM refresh_tokens WHERE token_hash = ${tokenHash}) FOR UPDATE`,
    ),
  )

/** The token presented, where it may be used. */
const fresh = part(
  'fresh',
  ['presented'],
  Prisma.sql`
    SELECT * FROM presented p
    WHERE revoked_at IS NULL AND NOT disabled AND p.expires_at > business_now() AND family_expires_at > business_now()
      AND (used_at IS NULL OR (used_at > business_now() - interval '10 seconds' AND NOT EXISTS (
        SELECT 1 FROM refresh_tokens s WHERE s.predecessor_hash = p.token_hash AND s.used_at IS NOT NULL)))
      AND NOT EXISTS (
        SELECT 1 FROM refresh_tokens twin WHERE twin.predecessor_hash = p.predecessor_hash
          AND twin.token_hash <> p.token_hash AND twin.used_at IS NOT NULL)`,
)

/**
 * Uses a refresh token once and writes its successor; a use that is not allowed revokes the family. While no
 * successor has been used, the same token within ten seconds makes another one: an answer may have been lost. Of
 * several successors the first one used is the one that arrived.
 */
async function rotate(client: PoolClient, tokenHash: Buffer, successorHash: Buffer) {
  const rows = await execute(
    client,
    statement({
      name: 'rotate-refresh-token',
      parts: [
        part(
          'presented',
          [],
          Prisma.sql`
            SELECT t.token_hash, t.family_id, t.predecessor_hash, t.used_at, t.expires_at, f.user_id, f.revoked_at,
              f.expires_at AS family_expires_at, u.disabled_at IS NOT NULL AS disabled
            FROM refresh_tokens t JOIN token_families f ON f.id = t.family_id JOIN users u ON u.id = f.user_id
            WHERE t.token_hash = ${tokenHash}`,
        ),
        fresh,
        part(
          'used',
          ['fresh'],
          Prisma.sql`UPDATE refresh_tokens t SET used_at = coalesce(t.used_at, business_now()) FROM fresh WHERE t.token_hash = fresh.token_hash`,
        ),
        part(
          'renewed',
          ['fresh'],
          Prisma.sql`
            INSERT INTO refresh_tokens (token_hash, family_id, predecessor_hash, expires_at)
            SELECT ${successorHash}, family_id, token_hash, least(business_now() + interval '720 hours', family_expires_at) FROM fresh`,
        ),
        part(
          'revoked',
          ['presented', 'fresh'],
          Prisma.sql`
            UPDATE token_families f SET revoked_at = coalesce(f.revoked_at, business_now()) FROM presented p
            WHERE f.id = p.family_id AND NOT p.disabled AND NOT EXISTS (SELECT 1 FROM fresh)`,
        ),
      ],
      select: reading(
        ['presented', 'fresh'],
        Prisma.sql`
          SELECT user_id AS "userId", family_id AS "familyId", disabled, EXISTS (SELECT 1 FROM fresh) AS renewed,
            NOT disabled AND revoked_at IS NULL AND expires_at > business_now() AND family_expires_at > business_now()
              AND NOT EXISTS (SELECT 1 FROM fresh) AS reused
          FROM presented`,
      ),
      rows: rotationColumns,
    }),
  )
  return rows[0] ?? null
}

const useToken = (pool: Pool, refreshToken: string, successor: string): Promise<Rotation | null> =>
  inTransaction(pool, async (client) => {
    const tokenHash = hashToken(refreshToken)
    await lockFamily(client, tokenHash)
    return rotate(client, tokenHash, hashToken(successor))
  })

/**
 * A new pair of tokens for an unused refresh token.
 * @throws DomainError invalid_refresh_token; the whole family is revoked when the token was used before, and
 * `tellReuse` is told whose it is
 */
export async function refreshTokens(
  { database, config, runtime }: Services,
  refreshToken: string,
  tellReuse: (userId: string) => void,
): Promise<TokenPair> {
  const successor = newRefreshToken()
  const rotation = await useToken(database.pool, refreshToken, successor)
  if (rotation?.disabled) throw new DomainError('user_disabled')
  if (rotation?.reused) tellReuse(rotation.userId)
  if (!rotation?.renewed) throw new DomainError('invalid_refresh_token')
  return signTokens(config.JWT_SECRET, { ...rotation, refreshToken: successor, now: runtime.now() })
}

/** Ends the family of this refresh token and its access tokens; an unknown one is none of our business. Answers whose it was. */
export async function logOut({ database }: Services, refreshToken: string): Promise<string | null> {
  const [family] = await execute(
    database.pool,
    query(
      'log-out',
      Prisma.sql`
      UPDATE token_families SET revoked_at = coalesce(revoked_at, business_now())
      WHERE id = (SELECT family_id FROM refresh_tokens WHERE token_hash = ${hashToken(refreshToken)})
      RETURNING user_id AS "userId"`,
      { userId: column.text },
    ),
  )
  return family?.userId ?? null
}
