import { openPool } from '@meridian/db'

/** What a database holds of payments. */
export type Books = { orders: number; paid: ReadonlySet<string> }

/** Reads how many orders there are, and which are paid: to us, these payments are acknowledged. */
export async function readBooks(databaseUrl: string): Promise<Books> {
  const pool = openPool(databaseUrl, { applicationName: 'restore-drill', maxConnections: 1 })
  try {
    const { rows } = await pool.query<{ no: string; isPaid: boolean }>(
      `SELECT out_trade_no AS no, status = 'paid' AS "isPaid" FROM orders`,
    )
    return { orders: rows.length, paid: new Set(rows.filter(({ isPaid }) => isPaid).map(({ no }) => no)) }
  } finally {
    await pool.end()
  }
}

/** Payments that were acknowledged and that these books do not have. */
export const lostIn = (books: Books, acknowledged: Books): string[] =>
  [...acknowledged.paid].filter((no) => !books.paid.has(no))
