import { systemRuntime } from '@meridian/payments'
import { pino } from 'pino'
import { readConfig } from '../../apps/api/src/config.ts'
import { applyPayment } from '../../apps/api/src/payments/apply-payment.ts'
import { buyPlan } from '../../apps/api/src/payments/buy-plan.ts'
import { atDoor, openServices } from '../../apps/api/src/services.ts'
import { firstCosts, jobCosts } from './growth-jobs.ts'
import { listCosts } from './growth-lists.ts'
import type { Cost } from './measure-costs.ts'
import { duePayments } from './notifications.ts'
import type { BenchWorld } from './open-world.ts'
import { deliveryOf } from './paid-statements.ts'
import { buyers, intentOf, platformAtOnce } from './purchase.ts'

const payments = 60
/** The first of them find neither plans nor pages at hand. */
const warming = 10

const paymentCost =
  (world: BenchWorld): Cost =>
  async () => {
    const { payments: readers, doors } = world.services
    const due = await duePayments(world, payments + warming)
    const runs = due.map(({ signed }) => {
      const { payment, arrival } = deliveryOf(readers, signed)
      return () => applyPayment(doors.payments.pool, payment, arrival)
    })
    for (const run of runs.splice(0, warming)) await run()
    return { runs }
  }

/** A purchase with the platform answering at once. */
const purchaseCost =
  (world: BenchWorld): Cost =>
  async () => {
    const runtime = { ...systemRuntime, fetch: platformAtOnce().fetchAtOnce }
    const opened = openServices(readConfig(world.environment), pino({ level: 'silent' }), runtime)
    const services = atDoor(opened, 'payments')
    const runs = (await buyers(world, payments + warming)).map(
      (buyer) => () => buyPlan(services, intentOf(buyer)),
    )
    for (const run of runs.splice(0, warming)) await run()
    return { runs, close: () => opened.database.close() }
  }

/** What a past that grows may make dearer, in the order of the table. */
export const costsOf = (world: BenchWorld): Record<string, Cost> => ({
  ...firstCosts(world),
  'a notification applied': paymentCost(world),
  'a purchase': purchaseCost(world),
  ...listCosts(world),
  ...jobCosts(world),
})
