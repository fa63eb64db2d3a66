import { column, execute, type Pool, Prisma, part, query, type RowOf, reading, statement } from '@meridian/db'
import { type MiniProgram, MiniProgramError } from '@meridian/payments'
import { raiseAlertPart } from '../alerts/write-alert.ts'
import { scheduleJobPart } from '../jobs/due-jobs.ts'
import { appendEventsPart } from '../orders/append-event.ts'
import type { Services } from '../services.ts'
import {
  decideNotNeeded,
  decideRefused,
  decideUndelivered,
  decideUploaded,
  type ShippingDecision,
} from './decide-shipping.ts'
import { isShippingOnSql, shippingKeySql, shippingPayloadSql } from './queue-shipping.ts'

const { sql } = Prisma

const shipmentColumns = {
  outTradeNo: column.text,
  transactionId: column.text,
  payerOpenid: column.text,
  planName: column.text,
  durationDays: column.number,
  delivered: column.boolean,
  goesBack: column.boolean,
}
type Shipment = RowOf<typeof shipmentColumns>

/** An order whose information is still due: the setting is on and nobody has uploaded it. */
async function findShipment(pool: Pool, outTradeNo: string): Promise<Shipment | null> {
  const rows = await execute(
    pool,
    query(
      'find-shipment',
      sql`
      SELECT o.out_trade_no AS "outTradeNo", o.transaction_id AS "transactionId", o.payer_openid AS "payerOpenid",
        o.plan_name AS "planName", o.duration_days AS "durationDays", o.refund_reserved_fen = o.amount_fen AS "goesBack",
        EXISTS (SELECT 1 FROM grants g WHERE g.order_id = o.id AND g.kind = 'purchase') AS delivered
      FROM shipping_uploads u JOIN orders o ON o.id = u.order_id
      WHERE o.out_trade_no = ${outTradeNo} AND u.state IN ('pending', 'failed') AND ${isShippingOnSql}`,
      shipmentColumns,
    ),
  )
  return rows[0] ?? null
}

const longestDescription = 120
const describe = ({ planName, durationDays }: Shipment) =>
  `${planName.slice(0, longestDescription - 10)} ${durationDays}天`

/** `order_state` of the shipping service: shipped, received, completed; and refunded. */
const shippedStates: ReadonlySet<number> = new Set([2, 3, 4])
const refundedState = 5

/** A repeat asks first: the answer to the last attempt may have been lost. */
async function askOrUpload(
  miniProgram: MiniProgram,
  shipment: Shipment,
  attempt: number,
): Promise<ShippingDecision> {
  const { transactionId, payerOpenid } = shipment
  const state = attempt > 0 ? await miniProgram.shippingState(transactionId) : null
  if (state !== null && shippedStates.has(state)) return decideUploaded()
  if (state === refundedState) return decideNotNeeded()
  await miniProgram.uploadShipping({ transactionId, payerOpenid, itemDescription: describe(shipment) })
  return decideUploaded()
}

async function attemptUpload(
  { miniProgram }: Services,
  shipment: Shipment,
  attempt: number,
): Promise<ShippingDecision> {
  if (shipment.goesBack) return decideNotNeeded()
  if (!shipment.delivered) return decideUndelivered()
  try {
    if (!miniProgram) throw new MiniProgramError('misconfigured')
    return await askOrUpload(miniProgram, shipment, attempt)
  } catch (error) {
    if (!(error instanceof MiniProgramError)) throw error
    return decideRefused(error, attempt)
  }
}

/** The one writer of what became of an upload: the row, the timeline, an alert and the next attempt in one statement. */
async function recordDecision(
  pool: Pool,
  { outTradeNo, attempt }: { outTradeNo: string; attempt: number },
  { state, code, retryAfterSeconds, alert }: ShippingDecision,
): Promise<void> {
  const told = reading(
    ['upload'],
    sql`(SELECT id, status AS from_status, status FROM upload WHERE ${state}::shipping_state = 'uploaded') told`,
  )
  const runAt = sql`business_now() + ${retryAfterSeconds}::int * interval '1 second'`
  const subject = alert === 'shipping_misconfigured' ? (code ?? alert) : outTradeNo
  const upload = sql`
    UPDATE shipping_uploads u SET state = ${state}::shipping_state, attempts = attempts + 1, last_code = ${code},
      uploaded_at = CASE WHEN ${state}::shipping_state = 'uploaded' THEN business_now() END
    FROM orders o WHERE o.id = u.order_id AND o.out_trade_no = ${outTradeNo} AND u.state IN ('pending', 'failed')
    RETURNING o.id, o.out_trade_no, o.status`
  const again = reading(['upload'], sql`upload WHERE ${retryAfterSeconds}::int IS NOT NULL`)
  const job = {
    job: 'upload_shipping',
    payload: shippingPayloadSql(attempt + 1),
    runAt,
    key: shippingKeySql,
  } as const
  const recording = statement({
    name: alert ? `record-shipping-${alert}` : 'record-shipping',
    parts: [
      part('upload', [], upload),
      appendEventsPart(told, { kind: 'shipping_uploaded', trace: { channel: 'job', requestId: null } }),
      ...(alert ? [raiseAlertPart(alert, subject, { order: outTradeNo, code })] : []),
      scheduleJobPart('next_upload', again, job),
    ],
  })
  await execute(pool, recording)
}

/**
 * Tells the platform that a paid order was handed over, without which its money stays frozen. Repeating it changes
 * nothing further; what fails comes again by its error class.
 */
export async function uploadShipping(
  services: Services,
  job: { outTradeNo: string; attempt: number },
): Promise<void> {
  const { pool } = services.database
  const shipment = await findShipment(pool, job.outTradeNo)
  if (!shipment) return
  const decision = await attemptUpload(services, shipment, job.attempt)
  await recordDecision(pool, job, decision)
}
