import { alertSeverities, healedByOf, severityOfAlert } from '@meridian/contracts'
import { column, execute, nullable, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import type { NewsSource } from './other-news.ts'
import { type AlertNews, maskedSubject, type News } from './write-message.ts'

const { sql } = Prisma

const unsentColumns = {
  id: column.text,
  kind: column.text,
  /** What the alert says of its own urgency. */
  own: nullable(column.text),
  subject: column.text,
  times: column.integer,
  openedAt: column.instant,
  overAt: nullable(column.instant),
  resolution: nullable(column.text),
}
type Found = RowOf<typeof unsentColumns>

/** What a channel waits for, and how many messages it may still take within this minute. */
type Waiting = { unsent: News[]; allowance: number; testId: string | null }

const mostAtOnce = 500
const longestSubject = 300
/** Of this many messages a minute the robots take every one (WeCom and DingTalk: 20). */
const mostPerMinute = 15

const critical = Object.entries(alertSeverities).flatMap(([kind, severity]) =>
  severity === 'critical' ? [kind] : [],
)

/**
 * Alerts whose opening or whose end a channel has not been told, in three parts that an index serves each: open and
 * untold; over, told as open; over before it could be told (of the last day). None of a channel that is not due.
 */
const unsentAlertsSql = (channelId: string, isDue: Prisma.Sql): Prisma.Sql => sql`
  WITH channel AS (SELECT id, since FROM alert_channels WHERE id = ${channelId} AND ${isDue}),
  untold AS (
    SELECT alerts.*, coalesce(delivery.attempts, 0) AS attempts FROM channel CROSS JOIN alerts
    LEFT JOIN alert_deliveries delivery ON delivery.channel_id = channel.id AND delivery.alert_id = alerts.id
    WHERE alerts.resolved_at IS NULL AND delivery.told_at IS NULL
    UNION ALL
    SELECT alerts.*, delivery.attempts FROM channel
    JOIN alert_deliveries delivery ON delivery.channel_id = channel.id
    JOIN alerts ON alerts.id = delivery.alert_id
    WHERE delivery.told_at IS NOT NULL AND delivery.over_told_at IS NULL AND alerts.resolved_at IS NOT NULL
    UNION ALL
    SELECT alerts.*, coalesce(delivery.attempts, 0) FROM channel CROSS JOIN alerts
    LEFT JOIN alert_deliveries delivery ON delivery.channel_id = channel.id AND delivery.alert_id = alerts.id
    WHERE alerts.resolved_at > greatest(channel.since, business_now() - interval '24 hours') AND delivery.told_at IS NULL)
  SELECT id::text, kind, detail ->> 'severity' AS own, subject, times, opened_at AS "openedAt", resolved_at AS "overAt", CASE WHEN resolved_by IS NULL THEN resolution END AS resolution
  FROM untold
  ORDER BY attempts, kind = ANY (${critical}::text[]) DESC, opened_at, id LIMIT ${mostAtOnce}`

const toNews = ({ subject, own, resolution, ...found }: Found): AlertNews => ({
  ...found,
  severity: severityOfAlert(found.kind, own),
  healedBy: healedByOf(resolution),
  subject: maskedSubject(subject).slice(0, longestSubject),
})

/** Alarms have one connection: it is free between one source and the next. */
async function findOthers(pool: Pool, channelId: string, sources: readonly NewsSource[]): Promise<News[]> {
  const others: News[] = []
  for (const find of sources) others.push(...(await find(pool, channelId)))
  return others
}

/**
 * What a channel waits for now: the sources are asked only where no alert waits, so that alerts stand behind nothing. A
 * test that somebody asked for waits for no pause.
 */
export async function findUnsent(
  pool: Pool,
  channelId: string,
  sources: readonly NewsSource[],
): Promise<Waiting> {
  const [spent] = await execute(
    pool,
    query(
      'count-alert-messages',
      sql`
      SELECT (SELECT count(*)::int FROM alert_messages
          WHERE channel_id = ${channelId} AND ended_at > business_now() - interval '60 seconds') AS messages,
        (SELECT id::text FROM alert_messages WHERE channel_id = ${channelId} AND state = 'waiting') AS "testId",
        EXISTS (SELECT FROM alert_channels WHERE id = ${channelId} AND next_attempt_at <= business_now()) AS "isDue"`,
      { messages: column.number, testId: nullable(column.text), isDue: column.boolean },
    ),
  )
  const allowance = Math.max(0, mostPerMinute - (spent?.messages ?? 0))
  const untold = await execute(
    pool,
    query(
      'find-untold-alerts',
      unsentAlertsSql(channelId, sql`next_attempt_at <= business_now()`),
      unsentColumns,
    ),
  )
  const asksOthers = untold.length === 0 && spent?.isDue
  const unsent = asksOthers ? await findOthers(pool, channelId, sources) : untold.map(toNews)
  return { unsent, allowance, testId: spent?.testId ?? null }
}

/** How much a channel waits for, whether it pauses or not: exact up to 500. */
export async function countUnsent(pool: Pool, channelId: string): Promise<number> {
  const untold = await execute(pool, query('count-untold-alerts', unsentAlertsSql(channelId, sql`TRUE`)))
  return untold.length
}

/** One message, as what it tells: one thing, or many in a bundle. */
export type Batch = readonly News[]

/**
 * Which messages to send now. What fits is told one by one; where more waits than may be sent within the minute, the
 * last message that may be sent bundles the rest.
 */
export function decideMessages(unsent: readonly News[], allowance: number): Batch[] {
  if (allowance <= 0) return []
  if (unsent.length <= allowance) return unsent.map((news) => [news])
  const alone = unsent.slice(0, allowance - 1)
  return [...alone.map((news) => [news]), unsent.slice(allowance - 1)]
}
