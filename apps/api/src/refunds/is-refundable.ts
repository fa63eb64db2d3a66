import { refundableDays } from '@meridian/contracts'
import { Prisma } from '@meridian/db'

const { sql } = Prisma

/** Whether the order `o` may be refunded as it stands, as a condition: `standingObstacleOf` for the database. */
export const isRefundableSql: Prisma.Sql = sql`o.status = 'paid' AND NOT o.parked`

/** Whether a payment of this instant (an expression) is young enough for a refund (SPEC §4). */
export const isRefundableSinceSql = (paidAt: Prisma.Sql): Prisma.Sql =>
  sql`${paidAt} > business_now() - ${Prisma.raw(`interval '${refundableDays} days'`)}`
