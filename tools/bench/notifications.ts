import type { Platform } from '@meridian/payments/testing'
import { type Shot, shot } from './load.ts'
import type { BenchWorld } from './open-world.ts'
import { plantUnpaid, type UnpaidOrder } from './plant-unpaid.ts'

export type SignedNotification = { headers: Record<string, string>; body: Buffer }
export type DuePayment = { order: UnpaidOrder; signed: SignedNotification }

/** Orders that wait for their payment, each with its signed notification: valid for the next five minutes. */
export async function duePayments(world: BenchWorld, count: number): Promise<DuePayment[]> {
  const orders = await plantUnpaid(world.services.database.pool, world.platform, count)
  return orders.map((order) => ({ order, signed: signedNotification(world.platform, order.outTradeNo) }))
}

/** The platform's notification of this payment, as it arrives: names of headers in lower case. */
export function signedNotification(platform: Platform, outTradeNo: string): SignedNotification {
  const { headers, body } = platform.notification(outTradeNo)
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { headers: Object.fromEntries(lowered), body: Buffer.from(body) }
}

export const shotOf = ({ signed: { headers, body } }: DuePayment): Shot =>
  shot({ method: 'POST', path: '/api/v1/payment/notify', headers, body })
