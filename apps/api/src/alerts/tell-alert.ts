import { type Pool, Prisma, run } from '@meridian/db'
import { masked } from '../log.ts'
import type { Services } from '../services.ts'
import { type Post, postToPublic } from './post-webhook.ts'

type Untold = { id: string; kind: string; subject: string; times: number; openedAt: Date }

async function findUntold(pool: Pool, alertId: string): Promise<Untold | null> {
  const rows = await run<Untold>(
    pool,
    'find-untold-alert',
    Prisma.sql`
      SELECT id::text, kind, subject, times, opened_at AS "openedAt" FROM alerts
      WHERE id = ${alertId}::bigint AND told_at IS NULL AND resolved_at IS NULL`,
  )
  return rows[0] ?? null
}

const isTelling = (word: string) => /\d/.test(word) && !/^\d{4}-\d\d-\d\d$/.test(word)

/** The subject for other people's eyes: numbers of orders, refunds and users are shown in part, days and words whole. */
export const maskedSubject = (subject: string): string =>
  subject
    .split(' ')
    .map((word) => (isTelling(word) ? masked(word) : word))
    .join(' ')

function messageOf({ id, kind, subject, times, openedAt }: Untold, consoleUrl: string): string {
  const about = maskedSubject(subject)
  return JSON.stringify({
    source: 'meridian',
    id,
    kind,
    subject: about,
    times,
    opened_at: openedAt.toISOString(),
    url: new URL('/alerts', consoleUrl).href,
    text: `Meridian: ${kind} ${about}`,
  })
}

/**
 * Tells a new alert to the address that operations chose, once; without such an address it stays in the console.
 * Whatever goes wrong comes again with the job library's back-off; the address is never part of an error.
 * @throws Error when the address does not take it
 */
export async function tellAlert(
  { config, database: { pool } }: Services,
  alertId: string,
  post: Post = postToPublic,
): Promise<void> {
  const { ALERT_WEBHOOK_URL: url, CONSOLE_URL: consoleUrl } = config
  if (!url) return
  const alert = await findUntold(pool, alertId)
  if (!alert) return
  const status = await post(url, messageOf(alert, consoleUrl))
  if (status < 200 || status > 299) throw new Error(`the webhook answered ${status}`)
  await run(
    pool,
    'alert-told',
    Prisma.sql`UPDATE alerts SET told_at = now() WHERE id = ${alertId}::bigint AND told_at IS NULL`,
  )
}
