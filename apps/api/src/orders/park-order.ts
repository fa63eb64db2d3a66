import { column, execute, type Pool, Prisma, part, reading, rowsOf, statement } from '@meridian/db'
import { appendEventsPart, type Trace } from './append-event.ts'

type Parking = { outTradeNo: string; reason: string; trace: Trace }

export const parkOrderStatement = ({ outTradeNo, reason, trace }: Parking) => {
  const parked = Prisma.sql`
    UPDATE orders SET parked = true, park_reason = ${reason} WHERE out_trade_no = ${outTradeNo} AND NOT parked
    RETURNING id, status AS from_status, status, park_reason`
  const detail = Prisma.sql`jsonb_build_object('reason', park_reason)`
  return statement({
    name: 'park-order',
    parts: [part('parked', [], parked), appendEventsPart(rowsOf('parked'), { kind: 'park', trace, detail })],
    select: reading(['parked'], Prisma.sql`SELECT id FROM parked`),
    rows: { id: column.bigint },
  })
}

/** Takes an order out of everything automatic until an operator decides. Answers false when it was parked already. */
export const parkOrder = async (pool: Pool, parking: Parking): Promise<boolean> =>
  (await execute(pool, parkOrderStatement(parking))).length === 1
