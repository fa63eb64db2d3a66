import type { AlertKind, SheetError } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, part, query, reading, statement } from '@meridian/db'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import { appendEventsPart } from '../orders/append-event.ts'
import { spendAttempt } from '../orders/order-attempts.ts'

const { sql } = Prisma

/**
 * What a new number or a new session cures (virtual payment §2.5): number used before, system error, signature wrong,
 * session over, order closed by a failure. The next call signs another number at once.
 */
const ending: readonly number[] = [-15002, -15003, -15005, -15007, -15012]
/** Price of the plan and price of the item have drifted apart (virtual payment §2.5). */
const PRICE_DIFFERS = -15013

/** What stands in the way of every buyer until somebody mends it, in a word each (virtual payment §2.5). */
const refusals: Readonly<Record<number, string>> = {
  [-15001]: 'offer',
  [-15006]: 'app_key',
  [-15008]: 'onboarding',
  [-15009]: 'coins',
  [-15010]: 'item',
  [-15011]: 'environment',
  [-15017]: 'restricted',
  [-15018]: 'item_review',
  [-15019]: 'restricted',
  [-15021]: 'rate_limit',
}

/** What the sheet can fail with (virtual payment §2.5); whatever else a client says is not kept. */
const sheetErrors: readonly number[] = [
  ...ending,
  ...Object.keys(refusals).map(Number),
  ...[1001, -1, -2, -4, -15004, PRICE_DIFFERS, -15014, -15016, -15020],
]

type Told = SheetError & { outTradeNo: string; requestId: string }

/** Once per number and code, so that no client can fill the timeline. */
const noteStatement = ({ outTradeNo, number, code, requestId }: Told) => {
  const detail = sql`jsonb_build_object('attempt_no', ${number}::text, 'code', ${code}::int)`
  const told = sql`
    SELECT o.id, o.status AS from_status, o.status, o.plan_code, o.amount_fen, o.virtual_product_id
    FROM orders o JOIN order_attempts a ON a.order_id = o.id
    WHERE o.out_trade_no = ${outTradeNo} AND a.number = ${number} AND NOT EXISTS (
      SELECT FROM order_events e WHERE e.order_id = o.id AND e.kind = 'sheet_error' AND e.detail = ${detail})`
  return statement({
    name: 'note-sheet-error',
    parts: [
      part('told', [], told),
      appendEventsPart(reading(['told'], sql`told`), {
        kind: 'sheet_error',
        trace: { channel: 'rest', requestId },
        detail,
      }),
    ],
    select: reading(
      ['told'],
      sql`SELECT plan_code AS "planCode", amount_fen AS "amountFen", virtual_product_id AS "productId" FROM told`,
    ),
    rows: { planCode: column.text, amountFen: column.integer, productId: column.text },
  })
}

/**
 * Keeps what the sheet of an attempt failed with. A client's word moves no order: it tells operators, and lets the next
 * call sign another number.
 */
export async function noteSheetError(pool: Pool, told: Told): Promise<void> {
  const { outTradeNo, number, code } = told
  if (!sheetErrors.includes(code)) return
  if (ending.includes(code)) await spendAttempt(pool, { outTradeNo, number })
  const [noted] = await execute(pool, noteStatement(told))
  if (!noted) return
  const { planCode, amountFen, productId } = noted
  const detail = { order: outTradeNo, product_id: productId, amount_fen: amountFen }
  const raise = (kind: AlertKind, subject: string, more: object = {}) =>
    execute(pool, query('raise-alert', raiseAlertSql(kind, subject, { ...detail, ...more })))
  if (code === PRICE_DIFFERS) await raise('virtual_price_differs', planCode)
  const refusal = refusals[code]
  if (refusal === undefined) return
  const word = { sheet_error: String(Math.abs(code)), code: String(code) }
  await raise('virtual_payment_refused', refusal, word)
}
