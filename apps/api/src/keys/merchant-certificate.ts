import type { MerchantCertificateDate } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { type Actor, appendAuditSql } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'

/** The last day of this certificate, where somebody entered it. */
export async function findCertificateEnd(pool: Pool, serial: string): Promise<string | null> {
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
