import { randomUUID } from 'node:crypto'
import { openPool } from '@meridian/db'
import { systemRuntime } from '@meridian/payments'
import { pino } from 'pino'
import { readConfig } from '../../apps/api/src/config.ts'
import { applyPayment } from '../../apps/api/src/payments/apply-payment.ts'
import { buyPlan } from '../../apps/api/src/payments/buy-plan.ts'
import { settleOrder } from '../../apps/api/src/payments/settle-order.ts'
import { requestRefund } from '../../apps/api/src/refunds/request-refund.ts'
import { trackRefund } from '../../apps/api/src/refunds/track-refund.ts'
import { atDoor, openServices, type Services } from '../../apps/api/src/services.ts'
import { duePayments } from './notifications.ts'
import type { BenchWorld } from './open-world.ts'
import { deliveryOf, paidStatement } from './paid-statements.ts'
import { buyers, intentOf, platformAtOnce } from './purchase.ts'

/** As many connections as an API has for payments and its other doors together. */
export const connections = 10

/** Something that can be done many times, each time by an item prepared outside its time. */
type Act = {
  /** How many of what is counted one item does; one where it is left out. */
  each?: number
  prepare: (count: number) => Promise<(() => Promise<unknown>)[]>
  close: () => Promise<void>
}
export type OpenAct = (world: BenchWorld) => Promise<Act>

export const urlOf = ({ environment }: BenchWorld): string => environment['DATABASE_URL'] ?? ''

/** The statement of payments by a bare client, so many in each. */
export const payments =
  (inGroup: number): OpenAct =>
  async (world) => {
    const pool = openPool(urlOf(world), { maxConnections: connections })
    return {
      each: inGroup,
      prepare: async (count) => {
        const due = await duePayments(world, count * inGroup)
        const deliveries = due.map(({ signed }) => deliveryOf(world.services.payments, signed))
        return Array.from({ length: count }, (_, at) => {
          const statement = paidStatement(deliveries.slice(at * inGroup, (at + 1) * inGroup))
          return () => pool.query(statement)
        })
      },
      close: () => pool.end(),
    }
  }

type Opened = { services: Services; close: () => Promise<void> }

function openProduct({ environment }: BenchWorld, fetcher: typeof fetch = fetch): Opened {
  const runtime = { ...systemRuntime, fetch: fetcher }
  const given = { ...environment, DATABASE_POOL_SIZE: '24' }
  const services = openServices(readConfig(given), pino({ level: 'silent' }), runtime)
  return { services: atDoor(services, 'payments'), close: () => services.database.close() }
}

const purchase: OpenAct = async (world) => {
  const { fetchAtOnce } = platformAtOnce()
  const { services, close } = openProduct(world, fetchAtOnce)
  return {
    prepare: async (count) => {
      const [first, ...others] = await buyers(world, count + 1)
      if (first) await buyPlan(services, intentOf(first))
      return others.map((buyer) => () => buyPlan(services, intentOf(buyer)))
    },
    close,
  }
}

const sync: OpenAct = async (world) => {
  const { services, close } = openProduct(world)
  return {
    prepare: async (count) =>
      (await duePayments(world, count)).map(({ order: { outTradeNo } }) => () => {
        const inquiry = { outTradeNo, channel: 'jsapi', confirmedBy: 'sync', requestId: 'bench' } as const
        return settleOrder(services, inquiry)
      }),
    close,
  }
}

/** Asked for below the sum that needs a second person, and sent to the platform. */
const refund: OpenAct = async (world) => {
  const { services, close } = openProduct(world)
  const { pool } = services.database
  const operatorId = randomUUID()
  const refundOf = async (outTradeNo: string) => {
    const terms = { amountFen: 100, reason: 'user_request', note: null, keepDays: true } as const
    const asked = { outTradeNo, operatorId, requestId: 'bench', ...terms }
    const { outRefundNo } = await requestRefund(pool, asked)
    await trackRefund(services, { outRefundNo, attempt: 0 })
  }
  return {
    prepare: async (count) => {
      const due = await duePayments(world, count)
      for (const { signed } of due) {
        const { payment, arrival } = deliveryOf(world.services.payments, signed)
        await applyPayment(pool, payment, arrival)
      }
      return due.map(
        ({ order }) =>
          () =>
            refundOf(order.outTradeNo),
      )
    },
    close,
  }
}

export const acts: Readonly<Record<string, OpenAct>> = {
  payment: payments(1),
  purchase,
  sync,
  refund,
}
