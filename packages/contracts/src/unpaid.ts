import type { orderStatuses } from './choices.ts'

type OrderStatus = (typeof orderStatuses)[number]

/** Statuses of an order that may still be paid in the ordinary way. */
export const unpaidStatuses = ['created', 'prepay'] as const satisfies readonly OrderStatus[]

/** Whether an order may still be paid in the ordinary way. */
export const isUnpaid = (status: OrderStatus): boolean => unpaidStatuses.some((unpaid) => unpaid === status)
