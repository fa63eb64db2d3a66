import type { TestWorld } from './test-world.ts'

/** What a row says of an order: the fee of its payment, or what of a fee a refund gives back, below zero. */
export type PlantedFee = { outTradeNo: string; feeHundredThousandths: number; kind?: 'payment' | 'refund' }

/** A complete trade bill of the day with these rows, kept after any other of the day. */
export async function plantTradeBill(
  world: TestWorld,
  day: string,
  fees: readonly PlantedFee[],
): Promise<void> {
  const [bill] = await world.query<{ id: string }>(
    `INSERT INTO bills (kind, bill_date, sha1) VALUES ('trade', $1, md5(random()::text) || 'aaaaaaaa') RETURNING id`,
    [day],
  )
  for (const [line, { outTradeNo, feeHundredThousandths, kind = 'payment' }] of fees.entries())
    await world.query(
      `INSERT INTO bill_rows (bill_id, line, kind, traded_at, transaction_id, out_trade_no, status, amount_fen, settled_fen,
         fee_hundred_thousandths, rate)
       SELECT $1, $2, $3, paid_at, transaction_id, out_trade_no, 'SUCCESS', amount_fen, amount_fen, $4, '0.60%'
       FROM orders WHERE out_trade_no = $5`,
      [bill?.id, line, kind, feeHundredThousandths, outTradeNo],
    )
  await world.query('UPDATE bills SET row_count = $2 WHERE id = $1', [bill?.id, fees.length])
}
