import { unpaidStatuses } from '@meridian/contracts'
import { Prisma } from '@meridian/db'

const listed = unpaidStatuses.map((status) => `'${status}'`).join(', ')

/**
 * Whether an order may still be paid in the ordinary way, as a condition on the table `orders` is called here.
 * The statuses stand in the text and not among the values: the partial indexes of unpaid orders match only so.
 */
export const isUnpaidSql = (orders = 'orders'): Prisma.Sql => Prisma.raw(`${orders}.status IN (${listed})`)
