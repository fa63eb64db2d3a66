import { settingShapes } from '@meridian/contracts'
import {
  column,
  execute,
  nullable,
  oneOf,
  type Pool,
  Prisma,
  part,
  query,
  reading,
  statement,
} from '@meridian/db'
import type { AppleInquiry } from '@meridian/payments'
import { appendEventsPart } from '../orders/append-event.ts'
import type { Services } from '../services.ts'
import { settingSql } from '../settings/read-settings.ts'
import { takenDaysSql, unusedDaysSql } from '../subscriptions/unused-days.ts'
import { configured } from './ask-refund.ts'
import { decideOpinion, type InquiryFacts, type Opinion } from './decide-opinion.ts'

const { sql } = Prisma

const factColumns = {
  opinion: oneOf(settingShapes.ios_refund_opinion.options),
  outTradeNo: nullable(column.text),
  amountFen: nullable(column.integer),
  paidAt: nullable(column.instant),
  daysGranted: column.integer,
  daysUsed: column.integer,
  reports: column.integer,
}

const factsQuery = (attemptNo: string) => {
  const order = sql`o.id`
  return query(
    'find-facts-of-inquiry',
    sql`
      SELECT ${settingSql('ios_refund_opinion')} #>> '{}' AS opinion, o.out_trade_no AS "outTradeNo", o.amount_fen AS "amountFen",
        o.paid_at AS "paidAt", d.granted AS "daysGranted",
        greatest(0, d.granted - ${takenDaysSql(order)} - ${unusedDaysSql(order)}) AS "daysUsed",
        (SELECT count(*) FROM reports r WHERE r.user_id = o.user_id AND r.created_at >= o.paid_at)::int AS reports
      FROM (SELECT ${attemptNo}::text AS number) asked LEFT JOIN order_attempts a ON a.number = asked.number
        LEFT JOIN orders o ON o.id = a.order_id,
        LATERAL (SELECT coalesce(sum(g.days), 0)::int AS granted FROM grants g WHERE g.order_id = o.id AND g.kind = 'purchase') d`,
    factColumns,
  )
}

const answeredColumns = { letPass: column.boolean, evidence: column.text }

type Answered = { inquiry: AppleInquiry; facts: InquiryFacts; opinion: Opinion }

/** The answer that stands: the first one; what is asked again is counted. The order's timeline tells it once. */
export const keepInquiryStatement = ({ inquiry, facts, opinion }: Answered) => {
  const { attemptNo, requestedAt, reason } = inquiry
  const { letPass, evidence } = opinion
  const kept = sql`
      INSERT INTO apple_inquiries (attempt_no, out_trade_no, requested_at, reason, let_pass, opinion, evidence)
      VALUES (${attemptNo}, ${facts.outTradeNo}, ${requestedAt}::timestamptz, ${reason}, ${letPass}, ${facts.opinion}, ${evidence})
      ON CONFLICT (attempt_no, requested_at) DO UPDATE SET asked = apple_inquiries.asked + 1
      RETURNING out_trade_no, let_pass, evidence, xmax = 0 AS is_new`
  const told = sql`(
    SELECT o.id, o.status AS from_status, o.status FROM orders o JOIN kept ON kept.out_trade_no = o.out_trade_no
    WHERE kept.is_new) told`
  const detail = { attempt_no: attemptNo, let_pass: letPass, opinion: facts.opinion, reason }
  return statement({
    name: 'keep-apple-inquiry',
    parts: [
      part('kept', [], kept),
      appendEventsPart(reading(['kept'], told), {
        kind: 'apple_inquiry',
        trace: { channel: 'notification', requestId: null },
        detail: sql`${JSON.stringify(detail)}::jsonb`,
      }),
    ],
    select: reading(['kept'], sql`SELECT let_pass AS "letPass", evidence FROM kept`),
    rows: answeredColumns,
  })
}

async function keep(pool: Pool, answered: Answered) {
  const [standing] = await execute(pool, keepInquiryStatement(answered))
  return standing ?? answered.opinion
}

/**
 * What Apple is told about a refund that it is asked for, from our own data in two statements, since it waits three
 * seconds for it: stored, and sealed as the body of the answer (virtual payment §4.6, SPEC §15).
 * @throws DomainError payment_not_configured
 */
export async function answerInquiry(services: Services, inquiry: AppleInquiry): Promise<string> {
  const virtual = configured(services.virtual)
  const { pool } = services.database
  const [facts] = await execute(pool, factsQuery(inquiry.attemptNo))
  if (!facts) throw new Error('the facts of an inquiry are always one row')
  const { letPass, evidence } = await keep(pool, { inquiry, facts, opinion: decideOpinion(facts) })
  return virtual.answerInquiry({ letPass, info: letPass ? 'agree' : 'disagree', evidence })
}
