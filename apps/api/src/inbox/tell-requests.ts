import { formatFen } from '@meridian/contracts'
import { column, execute, nullable, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { type NewsSource, type OtherNews, toldNewsSql } from '../alerts/delivery/other-news.ts'
import { maskedSubject, timeOf } from '../alerts/delivery/write-message.ts'
import { decidedRequestSql } from '../approvals/decided-requests.ts'
import { waitingApprovalsSql } from '../approvals/list-waiting.ts'

const { sql } = Prisma

const requestColumns = {
  name: column.text,
  kind: column.text,
  subject: column.text,
  amountFen: nullable(column.integer),
  askedBy: column.text,
  askedAt: column.instant,
  overAt: nullable(column.instant),
  outcome: nullable(column.text),
}
type Request = RowOf<typeof requestColumns>

const mostAtOnce = 100

const askerSql = (id: Prisma.Sql) =>
  sql`coalesce((SELECT coalesce(nullif(o.name, ''), o.email) FROM operators o WHERE o.id = ${id}), '')`

/** Requests that wait and were not told; and those that were told as waiting, and wait no more. */
const untoldSql = (channelId: string): Prisma.Sql => sql`
  SELECT waiting.kind || '.' || waiting.id AS name, waiting.kind, waiting.subject,
    (waiting.after ->> 'amountFen')::int AS "amountFen", ${askerSql(sql`waiting.requested_by`)} AS "askedBy",
    waiting.requested_at AS "askedAt", NULL::timestamptz AS "overAt", NULL AS outcome
  FROM ${waitingApprovalsSql} LEFT JOIN ${toldNewsSql(sql`'approval ' || waiting.kind || '.' || waiting.id`, channelId)}
  WHERE told.told_at IS NULL
  UNION ALL
  SELECT request.name, decided.kind, decided.subject, (decided.after ->> 'amountFen')::int,
    ${askerSql(sql`decided.requested_by`)}, decided.requested_at, coalesce(decided.decided_at, business_now()), decided.outcome
  FROM news_deliveries told
  CROSS JOIN LATERAL (SELECT substr(told.news, 10) AS name) request
  CROSS JOIN LATERAL ${decidedRequestSql(sql`request.name`)} decided
  WHERE told.channel_id = ${channelId} AND told.news LIKE 'approval %' AND told.told_at IS NOT NULL AND told.over_told_at IS NULL
  ORDER BY "askedAt", name LIMIT ${mostAtOnce}`

const outcomes: Readonly<Record<string, string>> = {
  approved: '已批准 / approved',
  rejected: '已驳回 / rejected',
  withdrawn: '已撤回 / withdrawn',
  elapsed: '已自动生效 / took effect by itself',
}

function toNews({
  name,
  kind,
  amountFen,
  askedBy,
  askedAt,
  overAt,
  outcome,
  ...request
}: Request): OtherNews {
  const what = amountFen === null ? kind : `${kind} ${formatFen(amountFen)}`
  const subject = maskedSubject(request.subject)
  const ended = outcome && [`结果 outcome: ${outcomes[outcome] ?? outcome}`]
  return {
    news: `approval ${name}`,
    overAt,
    path: '/inbox',
    text: [
      overAt ? `【已处理 decided】${what}` : `【待审批 needs approval】${what}`,
      `Meridian 审批 approval #${name}`,
      `对象 subject: ${subject}`,
      `申请人 requested by: ${askedBy}`,
      `开始 since: ${timeOf(askedAt)}`,
      ...(overAt ? [`结束 until: ${timeOf(overAt)}`] : []),
      ...(ended || []),
    ],
    line: `${overAt ? 'decided' : 'approval'} ${what} ${subject} #${name}`,
    json: {
      approval: name,
      kind,
      severity: 'warning',
      state: overAt ? 'over' : 'open',
      subject,
      amount_fen: amountFen,
      requested_by: askedBy,
      opened_at: askedAt.toISOString(),
      over_at: overAt?.toISOString() ?? null,
      outcome,
    },
  }
}

/** Tells the second person that something waits for them, and everybody when it waits no more. */
export const tellRequests: NewsSource = async (pool: Pool, channelId) =>
  (await execute(pool, query('find-untold-requests', untoldSql(channelId), requestColumns))).map(toNews)
