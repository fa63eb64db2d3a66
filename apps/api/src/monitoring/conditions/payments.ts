import { column, execute, nullable, type Pool, Prisma, query } from '@meridian/db'
import { PUSH_SERIAL } from '@meridian/payments'
import { before, dayMs, minuteMs, type Watch } from '../condition.ts'
import { isLater } from '../observations.ts'

const { sql } = Prisma

/** Of the newest few orders so many: what a shop with three orders a day can reach. */
const few = { orders: 5, failed: 3 }
/** Of the newest fifty a fifth: what few of many look like. */
const many = { orders: 50, failed: 10 }
/** How far back the newest orders are looked for: some are under way, or were never tried. */
const lookedAt = 500

const prepayColumns = {
  fewFailed: column.number,
  manyFailed: column.number,
  tried: column.number,
  newest: nullable(column.instant),
  unreachable: column.boolean,
}

/**
 * Orders fail at their last attempt to get a prepay, or in virtual payment to be signed. What failed while a platform was unreachable has its own alert:
 * as long as that is open nothing opens here, and orders from before its end do not count.
 */
export const prepayFailing: Watch = {
  kind: 'prepay_failing',
  isUrgent: true,
  find: async ({ pool, now }) => {
    const [row] = await execute(
      pool,
      query(
        null,
        Prisma.sql`
        WITH outage AS (
          SELECT bool_or(resolved_at IS NULL) AS open, max(resolved_at) AS ended_at FROM alerts
          WHERE kind = 'platform_unreachable' AND subject IN ('payment', 'mini-program')
            AND (resolved_at IS NULL OR resolved_at > ${before(now, dayMs)}::timestamptz)),
        newest AS (SELECT * FROM orders ORDER BY id DESC LIMIT ${lookedAt}),
        tried AS (
          SELECT o.created_at, o.prepay_failure IS NOT NULL AS failed, row_number() OVER (ORDER BY o.id DESC) AS place
          FROM newest o, outage
          WHERE (o.prepay_failure IS NOT NULL OR o.prepay_expires_at IS NOT NULL) AND o.created_at <= ${now}::timestamptz
            AND o.created_at > greatest(${before(now, dayMs)}::timestamptz, outage.ended_at))
        SELECT count(*) FILTER (WHERE failed AND place <= ${few.orders})::int AS "fewFailed",
          count(*) FILTER (WHERE failed AND place <= ${many.orders})::int AS "manyFailed",
          least(count(*), ${many.orders})::int AS tried, max(created_at) FILTER (WHERE failed) AS newest,
          coalesce((SELECT open FROM outage), false) AS unreachable
        FROM tried`,
        prepayColumns,
      ),
    )
    if (!row?.newest || (row.fewFailed < few.failed && row.manyFailed < many.failed)) return []
    const detail = { failed: row.manyFailed, of: row.tried }
    return [{ subject: 'purchases', detail, evidenceAt: row.newest, opens: !row.unreachable }]
  },
}

const failedWithinMs = 5 * minuteMs
const fewestFailed = 3
/** One in so many requests. */
const oneIn = 5
/** Shorter is a database that restarts, or a moment without a connection: who repeats is served. */
const shortestMs = 20_000
/** As long the platform repeats a delivery. */
const keptMs = 24 * 60 * minuteMs

/**
 * We fail those who pay: purchases, syncs and deliveries of the platform are answered 500 or 503, whatever the reason (a
 * slow or locked database, connections that are all taken, a fault of ours). Over when one was served since and none
 * failed for five minutes.
 */
export const paymentsFailing: Watch = {
  kind: 'payments_failing',
  isUrgent: true,
  observes: { kinds: ['payment_request_failed', 'payment_request_served'], withinMs: failedWithinMs },
  find: async ({ now, seen }) => {
    const [failed, served] = [seen('payment_request_failed'), seen('payment_request_served')]
    if (!failed.lastAt || failed.lastAt <= before(now, keptMs)) return []
    if (failed.recent === 0 && !isLater(failed, served)) return []
    const isMany = failed.recent >= fewestFailed && failed.recent * oneIn >= failed.recent + served.recent
    const detail = { failed: failed.recent, served: served.recent, last_served_at: served.lastAt }
    const opens = isMany && failed.recentMs >= shortestMs
    return [{ subject: 'requests', detail, evidenceAt: failed.lastAt, opens }]
  },
}

const fewestMissing = 2
/** After the fifth repeat of a delivery (15, 15, 30, 180, 600 s) and some (protocol §5.4). */
const awaitedMs = 30 * minuteMs

const missingColumns = {
  missing: column.number,
  first: nullable(column.instant),
  newest: nullable(column.instant),
  outTradeNo: nullable(column.text),
}

/** Where each channel is told of payments: its notification, and by which others it is known to reach us. */
const deliveries = [
  {
    channel: 'jsapi',
    subject: 'notifications',
    payment: sql`n.event_type = 'TRANSACTION.SUCCESS' AND n.out_trade_no = o.out_trade_no`,
    any: sql`n.serial <> ${PUSH_SERIAL}`,
  },
  {
    channel: 'virtual',
    subject: 'pushes',
    payment: sql`n.event_type = 'xpay_goods_deliver_notify' AND n.out_trade_no IN (o.out_trade_no, o.paid_attempt_no)`,
    any: sql`n.serial = ${PUSH_SERIAL}`,
  },
] as const

type Told = (typeof deliveries)[number]

const findMissing = (pool: Pool, now: Date, { channel, payment, any }: Told) =>
  execute(
    pool,
    query(
      null,
      sql`
      WITH missing AS (
        SELECT o.paid_at, o.out_trade_no FROM orders o
        WHERE o.paid_at > ${before(now, dayMs)}::timestamptz AND o.paid_at <= ${before(now, awaitedMs)}::timestamptz
          AND o.channel = ${channel}::payment_channel AND o.confirmed_by NOT IN ('notification', 'replay')
          AND NOT EXISTS (SELECT 1 FROM notifications n WHERE ${payment})),
      first AS (SELECT min(paid_at) AS paid_at FROM missing)
      SELECT count(*)::int AS missing, min(paid_at) AS first, max(paid_at) AS newest,
        (array_agg(out_trade_no ORDER BY paid_at))[1] AS "outTradeNo"
      FROM missing
      WHERE NOT EXISTS (SELECT 1 FROM notifications n, first
        WHERE n.first_at > first.paid_at + interval '1 second' AND n.outcome IN ('applied', 'already_paid', 'ignored')
          AND ${any})`,
      missingColumns,
    ),
  )

/**
 * At least two payments of the last day were found by asking, half an hour later their notification is still not here,
 * and none was accepted since the first of them, whose time is known to the second: the platform does not reach us. Each
 * channel has an address of its own.
 */
export const paymentsMissing: Watch = {
  kind: 'payments_missing',
  find: async ({ pool, now }) => {
    const found = await Promise.all(
      deliveries.map(async (told) => ({ subject: told.subject, rows: await findMissing(pool, now, told) })),
    )
    return found.flatMap(({ subject, rows: [row] }) => {
      if (!row?.newest || row.missing < fewestMissing) return []
      const detail = { missing: row.missing, since: row.first, out_trade_no: row.outTradeNo }
      return [{ subject, detail, evidenceAt: row.newest }]
    })
  },
}
