import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { column, execute, nullable, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import type { SealedColumn } from '../platform/crypto/data-keys.ts'
import { type Secrets, seal, unseal } from '../platform/crypto/seal.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { keptSinceSql, thisInstantSql } from '../platform/time/business-time.ts'

/** A device, by way of the person who claims it. */
type Claim = { userId: string; serialNumber: string }

const aboutSecret = (serialNumber: string) => `device:${serialNumber}`

/** A device's secret, a text, as the inventory keeps it. */
export const sealSecret = (dataKeys: Secrets, serialNumber: string, secret: string) =>
  seal(dataKeys, aboutSecret(serialNumber), Buffer.from(secret))

/**
 * A question to the device: answered once, within two minutes. Each question takes a few dead ones away.
 * @throws DomainError device_not_found, device_not_registered
 */
export async function askForProof(pool: Pool, { userId, serialNumber }: Claim) {
  const nonce = randomBytes(32)
  const [asked] = await execute(
    pool,
    query(
      'ask-for-proof',
      Prisma.sql`
      WITH swept AS (
        DELETE FROM bind_challenges WHERE nonce IN (
          SELECT nonce FROM bind_challenges WHERE expires_at < business_now() ORDER BY expires_at LIMIT 3 FOR UPDATE SKIP LOCKED)),
      asked AS (
        INSERT INTO bind_challenges (nonce, serial_number, user_id, expires_at)
        SELECT ${nonce}, serial_number, ${userId}::uuid, business_now() + interval '2 minutes'
        FROM devices WHERE serial_number = ${serialNumber} AND disabled_at IS NULL
        RETURNING expires_at)
      SELECT (SELECT expires_at FROM asked) AS "expiresAt" FROM devices WHERE serial_number = ${serialNumber}`,
      { expiresAt: nullable(column.instant) },
    ),
  )
  if (!asked) throw new DomainError('device_not_found')
  if (!asked.expiresAt) throw new DomainError('device_not_registered')
  return { nonce: nonce.toString('hex'), expiresAt: asked.expiresAt }
}

/** All questions to this device that the claimer has open; asked for once, they are gone, whatever the answer is. */
const spendChallenges = (client: PoolClient, { userId, serialNumber }: Claim) =>
  execute(
    client,
    query(
      'spend-challenges',
      Prisma.sql`
      UPDATE bind_challenges SET used_at = ${thisInstantSql}
      WHERE user_id = ${userId}::uuid AND serial_number = ${serialNumber} AND used_at IS NULL AND expires_at > ${thisInstantSql}
      RETURNING nonce`,
      { nonce: column.bytes },
    ),
  )

function decodeProof(proof: string): Buffer {
  return /^[0-9a-f]{64}$/i.test(proof) ? Buffer.from(proof, 'hex') : Buffer.from(proof, 'base64')
}

const equals = (one: Buffer, other: Buffer) => one.length === other.length && timingSafeEqual(one, other)

/**
 * Whether a proof answers one of the claimer's open questions: HMAC-SHA-256 over the nonce as it was written, with
 * the device's secret as key. Right or wrong, it uses up the questions of this claimer, and of nobody else.
 */
export async function isProven(
  client: PoolClient,
  claim: Claim,
  { proof, sealedSecret, dataKeys }: { proof: string; sealedSecret: Buffer; dataKeys: Secrets },
): Promise<boolean> {
  const given = decodeProof(proof)
  const secret = unseal(dataKeys, aboutSecret(claim.serialNumber), sealedSecret)
  const matches = (await spendChallenges(client, claim)).map(({ nonce }) =>
    equals(createHmac('sha256', secret).update(nonce.toString('hex')).digest(), given),
  )
  return matches.includes(true)
}

/** Questions to devices that nobody can answer any more, at most so many at once. */
export const purgeChallengesSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM bind_challenges WHERE nonce IN (
    SELECT nonce FROM bind_challenges WHERE expires_at < ${keptSinceSql('bind_challenges')} ORDER BY expires_at LIMIT ${limit})
  RETURNING 1 AS gone`

/** The secrets of devices. */
export const sealedSecrets: SealedColumn = {
  what: 'device secrets',
  sourceSql: Prisma.sql`SELECT serial_number AS id, sealed_secret AS sealed FROM devices WHERE sealed_secret IS NOT NULL`,
  about: aboutSecret,
  replaceSql: ({ id, before, after }) => Prisma.sql`
    UPDATE devices SET sealed_secret = ${after} WHERE serial_number = ${id} AND sealed_secret = ${before}`,
}
