import { createHash, createPublicKey, X509Certificate } from 'node:crypto'
import type { CockpitKey, KeyCockpit, MerchantCertificateDate } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { type PlatformKey, PUSH_SERIAL } from '@meridian/payments'
import { type Actor, appendAuditSql } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'

const useColumns = { serial: column.text, uses: column.number, lastUsedAt: column.instant }
type Use = RowOf<typeof useColumns>

const dayMs = 86_400_000

/** What anybody can compare with what the platform shows: SHA-256 of the certificate or of the public key. */
function fingerprintOf({ kind, pem }: PlatformKey): string {
  const der =
    kind === 'certificate'
      ? new X509Certificate(pem).raw
      : createPublicKey(pem).export({ type: 'spki', format: 'der' })
  const digest = createHash('sha256').update(der).digest('hex').toUpperCase()
  return digest.match(/../g)?.join(':') ?? digest
}

/** Which keys signed the newest notifications; message pushes are signed by none, and stand under one name. */
const recentUses = (pool: Pool): Promise<Use[]> =>
  execute(
    pool,
    query(
      'list-key-uses',
      Prisma.sql`
      SELECT serial, count(*)::int AS uses, max(last_at) AS "lastUsedAt" FROM (
        SELECT serial, last_at FROM notifications ORDER BY first_at DESC, id DESC LIMIT 10000) newest
      GROUP BY serial`,
      useColumns,
    ),
  )

function describe(key: PlatformKey, uses: readonly Use[], now: Date): CockpitKey {
  const { id, kind, source, effectiveAt, expiresAt } = key
  const use = uses.find(({ serial }) => serial === id)
  const daysLeft = expiresAt && Math.floor((expiresAt.getTime() - now.getTime()) / dayMs)
  return {
    ...{ id, kind, source, effectiveAt, expiresAt, daysLeft },
    fingerprint: fingerprintOf(key),
    lastUsedAt: use?.lastUsedAt ?? null,
    uses: use?.uses ?? 0,
  }
}

/** JSAPI: what verifies its notifications, and of our own keys their names alone; nothing where it is not configured. */
async function showMerchant({ config, payments, database, runtime }: Services, uses: readonly Use[]) {
  if (!payments || !config.payments)
    return { platformKeys: [], downloadKeys: false, refreshedAt: null, clockSkewMs: null, merchant: null }
  const { keys, downloadKeys, refreshedAt } = payments.keyReport()
  const { merchantSerialNo, apiV3Keys, notifyUrl } = config.payments
  return {
    platformKeys: keys.map((key) => describe(key, uses, runtime.now())),
    downloadKeys,
    refreshedAt,
    clockSkewMs: payments.clockSkewMs(),
    merchant: {
      mchId: payments.mchId,
      appId: payments.appId,
      platformHost: payments.platformHost,
      merchantSerialNo,
      certificateEndsOn: await findCertificateEnd(database.pool, merchantSerialNo),
      apiV3Keys: apiV3Keys.length,
      notifyUrl,
    },
  }
}

/** Virtual payment: where it is configured, all its secrets are set; what they are stays here. */
function describeVirtual(
  { virtual }: Services,
  { uses, pushPath }: { uses: readonly Use[]; pushPath: string },
): KeyCockpit['virtual'] {
  if (!virtual) return null
  const { appId, offerId, env, platformHost } = virtual
  const lastPushAt = uses.find(({ serial }) => serial === PUSH_SERIAL)?.lastUsedAt ?? null
  return { appId, offerId, env, platformHost, pushPath, lastPushAt }
}

/**
 * Which keys verify what, until when, and when each was last used, of both channels; of our own keys only their names.
 * `pushPath` is where our door takes message pushes.
 */
export async function showKeys(services: Services, pushPath: string): Promise<KeyCockpit> {
  const uses = await recentUses(services.database.pool)
  return {
    ...(await showMerchant(services, uses)),
    virtual: describeVirtual(services, { uses, pushPath }),
    loginConfigured: services.config.login !== null,
  }
}

/** The last day of this certificate, where somebody entered it. */
async function findCertificateEnd(pool: Pool, serial: string): Promise<string | null> {
  const rows = await execute(
    pool,
    query(
      'find-certificate-end',
      Prisma.sql`SELECT expires_on::text AS "endsOn" FROM merchant_certificates WHERE serial = ${serial}`,
      { endsOn: column.text },
    ),
  )
  return rows[0]?.endsOn ?? null
}

/**
 * Enters until when the merchant certificate in use is valid; the alarm before its end goes by it.
 * @throws DomainError payment_not_configured; changed_meanwhile where another certificate is in use
 */
export async function enterCertificateEnd(
  { config, database: { pool } }: Services,
  { merchantSerialNo, endsOn }: MerchantCertificateDate,
  { operatorId, from }: Actor,
): Promise<void> {
  if (!config.payments) throw new DomainError('payment_not_configured')
  if (config.payments.merchantSerialNo !== merchantSerialNo) throw new DomainError('changed_meanwhile')
  const entry = {
    operatorId,
    action: 'key.enter_end',
    subject: { type: 'merchant_certificate', id: merchantSerialNo },
    before: { endsOn: await findCertificateEnd(pool, merchantSerialNo) },
    after: { endsOn },
  }
  await execute(
    pool,
    query(
      'enter-certificate-end',
      Prisma.sql`
      WITH entered AS (
        INSERT INTO merchant_certificates (serial, expires_on, entered_by)
        VALUES (${merchantSerialNo}, ${endsOn}::date, ${operatorId}::uuid)
        ON CONFLICT (serial) DO UPDATE SET expires_on = excluded.expires_on, entered_by = excluded.entered_by, entered_at = business_now()
        RETURNING serial)
      ${appendAuditSql(Prisma.sql`entered`, entry, from)}`,
    ),
  )
}
