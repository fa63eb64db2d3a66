import { type Shot, shot } from './load.ts'
import type { BenchWorld } from './open-world.ts'
import { plantUnpaid, type UnpaidOrder } from './plant-unpaid.ts'

export type SignedNotification = { headers: Record<string, string>; body: Buffer }
export type DuePayment = { order: UnpaidOrder; signed: SignedNotification }

/** Orders that wait for their payment, each with its signed notification: valid for the next five minutes. */
export async function duePayments(world: BenchWorld, count: number): Promise<DuePayment[]> {
  const orders = await plantUnpaid(world.services.database.pool, world.platform, count)
  return orders.map((order) => {
    const { headers, body } = world.platform.notification(order.outTradeNo)
    const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    return { order, signed: { headers: Object.fromEntries(lowered), body: Buffer.from(body) } }
  })
}

export const shotOf = ({ signed: { headers, body } }: DuePayment): Shot =>
  shot({ method: 'POST', path: '/api/v1/payment/notify', headers, body })
