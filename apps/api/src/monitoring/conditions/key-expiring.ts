import { column, execute, nullable, type Pool, Prisma, query } from '@meridian/db'
import type { PlatformKey } from '@meridian/payments'
import { before, type Condition, dayMs, type Watch } from '../condition.ts'

/** How long before a key ends somebody is told, each in a word that stands in the alert. */
const notices = [
  { word: 'month', days: 30 },
  { word: 'week', days: 7 },
  { word: 'day', days: 1 },
] as const

type Ending = { name: string; expiresAt: Date }

/** What is due of this key: the latest notice opens, those before it stay open beside it. */
function noticesOf({ name, expiresAt }: Ending, now: Date): Condition[] {
  const due = notices.filter(({ days }) => before(expiresAt, days * dayMs) <= now)
  return due.map(({ word, days }, index) => ({
    subject: `${name} ${word}`,
    detail: { expires_at: expiresAt, days_left: Math.floor((expiresAt.getTime() - now.getTime()) / dayMs) },
    evidenceAt: before(expiresAt, days * dayMs),
    opens: index === due.length - 1,
  }))
}

type Certificate = Pick<PlatformKey, 'id' | 'expiresAt'>

/** What was downloaded by whichever process, and is not over: the ring of one alone may lack it. */
const downloadedCertificates = (pool: Pool, now: Date): Promise<Certificate[]> =>
  execute(
    pool,
    query(
      null,
      Prisma.sql`
      SELECT id, expires_at AS "expiresAt" FROM platform_certificates WHERE expires_at > ${now}::timestamptz`,
      { id: column.text, expiresAt: nullable(column.instant) },
    ),
  )

/** A certificate whose successor is here, good for longer than the first notice, ends as it should. */
function endingCertificates(keys: readonly Certificate[], now: Date): Ending[] {
  const succeeded = keys.some(
    ({ expiresAt }) => expiresAt !== null && before(expiresAt, notices[0].days * dayMs) > now,
  )
  if (succeeded) return []
  return keys.flatMap(({ id, expiresAt }) =>
    expiresAt ? [{ name: `platform-certificate ${id}`, expiresAt }] : [],
  )
}

/** The end of the merchant certificate in use, by the date that somebody entered for its serial. */
async function endingMerchantCertificate(pool: Pool, serial: string): Promise<Ending[]> {
  const rows = await execute(
    pool,
    query(
      null,
      Prisma.sql`
      SELECT expires_on::timestamp AT TIME ZONE 'Asia/Shanghai' AS "expiresAt" FROM merchant_certificates
      WHERE serial = ${serial}`,
      { expiresAt: column.instant },
    ),
  )
  return rows.map(({ expiresAt }) => ({ name: `merchant-certificate ${serial}`, expiresAt }))
}

/** A certificate of the platform, or ours as entered on the keys page, ends in 30, in 7 or in one day. */
export const keyExpiring: Watch = {
  kind: 'key_expiring',
  find: async ({ services: { payments, config }, pool, now }) => {
    if (!payments || !config.payments) return []
    const { keys, downloadKeys } = payments.keyReport()
    const configured = keys.filter(({ source }) => source === 'settings')
    const downloaded = downloadKeys ? await downloadedCertificates(pool, now) : []
    const endings = [
      ...endingCertificates([...configured, ...downloaded], now),
      ...(await endingMerchantCertificate(pool, config.payments.merchantSerialNo)),
    ]
    return endings.flatMap((ending) => noticesOf(ending, now))
  },
}
