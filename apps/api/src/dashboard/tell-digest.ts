import { formatFen } from '@meridian/contracts'
import { column, execute, json, type Pool, Prisma, query } from '@meridian/db'
import { type NewsSource, type OtherNews, toldNewsSql } from '../alerts/delivery/other-news.ts'
import { timeOf } from '../alerts/delivery/write-message.ts'
import { DigestFigures } from './weekly-digest.ts'

const { sql } = Prisma

const columns = { week: column.text, figures: json(DigestFigures), madeAt: column.instant }

/** A digest that nobody could be told within a day is old. */
const untoldSql = (channelId: string): Prisma.Sql => sql`
  SELECT d.week, d.figures, d.made_at AS "madeAt" FROM weekly_digests d
  JOIN alert_channels channel ON channel.id = ${channelId} AND channel.since <= d.made_at
  LEFT JOIN ${toldNewsSql(sql`'digest ' || d.week`, channelId)}
  WHERE d.made_at > business_now() - interval '24 hours' AND told.told_at IS NULL ORDER BY d.week`

/** By how much more or less than the week before; nothing where there was none. */
function changeOf({ now, before }: { now: number; before: number }): string {
  if (before === 0) return ''
  const percent = Math.round(((now - before) / Math.abs(before)) * 100)
  return `, ${percent >= 0 ? '+' : '−'}${Math.abs(percent)}%`
}

type Compared = { now: number; before: number }

const line = (name: string, compared: Compared, show: (value: number) => string = String) =>
  `${name}: ${show(compared.now)} (${show(compared.before)}${changeOf(compared)})`

function toNews(week: string, figures: DigestFigures, madeAt: Date): OtherNews {
  const { before, waiting } = figures
  const oldest = waiting.oldest === null ? '' : `；最早 oldest: ${timeOf(new Date(waiting.oldest))}`
  const range = `${figures.week.from} – ${figures.week.to}`
  return {
    news: `digest ${week}`,
    overAt: madeAt,
    path: '/dashboard',
    text: [
      '【Meridian】每周摘要 weekly digest',
      `${range} (${before.from} – ${before.to})`,
      line('收款 gross', figures.grossFen, formatFen),
      line('退款 refunds', figures.refundFen, formatFen),
      line('净收入 net', figures.netFen, formatFen),
      line('新订阅 new subscriptions', figures.fresh),
      line('续费 renewals', figures.renewed),
      `待办 waiting: ${waiting.count}${oldest}`,
    ],
    line: `digest ${range} net ${formatFen(figures.netFen.now)}`,
    json: { digest: week, state: 'digest', ...figures },
  }
}

/** Tells every channel what the last week came to. */
export const tellDigest: NewsSource = async (pool: Pool, channelId) => {
  const digests = await execute(pool, query('find-untold-digests', untoldSql(channelId), columns))
  return digests.map(({ week, figures, madeAt }) => toNews(week, figures, madeAt))
}
