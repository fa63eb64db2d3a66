import { systemRuntime } from '@meridian/payments'
import { healAlerts } from '../../../src/monitoring/heal-alerts.ts'
import { confirmDelivery } from '../../../src/payments/confirm-delivery.ts'
import { dayBefore } from '../../../src/platform/time/business-time.ts'
import { addSubscriber, setTemplates } from '../../world/add-subscriber.ts'
import { doDueJobs, doJob } from '../../world/do-jobs.ts'
import { plantVirtualPayment } from '../../world/plant-virtual-payment.ts'
import { setSetting } from '../../world/set-setting.ts'
import type { TestWorld, WorldOptions } from '../../world/test-world.ts'
import { hidden, orderNumber, repeatable, type SomePlays } from './play.ts'

const date = dayBefore(new Date(Date.now() - 86_400_000))
const isDate = /^\d{4}-\d\d-\d\d$/

/** The mini-program platform refuses what it is asked at this path. */
const refusing = (path: string, errcode: number): WorldOptions => ({
  runtime: {
    fetch: async (input, init) =>
      String(input).includes(path)
        ? Response.json({ errcode, errmsg: 'no rid: 1-2' })
        : systemRuntime.fetch(input, init),
  },
})

/** An order paid on the day, of which its bill says nothing. */
async function payUnbilled({ phone, platform }: TestWorld): Promise<{ kind: 'missing'; outTradeNo: string }> {
  const buyer = await phone()
  const purchase = await buyer.buys()
  await buyer.pays(purchase, { paidAt: new Date(`${date}T04:00:00Z`) })
  const missing = { kind: 'missing', outTradeNo: purchase.order.out_trade_no } as const
  platform.plantDifferences([missing])
  return missing
}

const upload = async (world: TestWorld) => {
  await setSetting(world, 'upload_shipping_info', true)
  const phone = await world.phone()
  const purchase = await phone.buys()
  await phone.pays(purchase)
  await doDueJobs(world)
  const outTradeNo = purchase.order.out_trade_no
  return repeatable(() => doJob(world, 'upload_shipping', { outTradeNo, attempt: 0 }))
}

/** What the jobs of every day raise. */
export const dailyWork = {
  bill_unavailable: {
    subject: isDate,
    raise: async (world) => {
      world.platform.faults.add({ kind: 'error_before', at: 'bill' })
      return repeatable(() => doJob(world, 'reconcile_day', { date }))
    },
  },
  bill_differences: {
    subject: isDate,
    raise: async (world) =>
      repeatable(async () => {
        await payUnbilled(world)
        await doJob(world, 'reconcile_day', { date })
      }),
  },
  shipping_refused: {
    world: refusing('/upload_shipping_info', 10060031),
    subject: orderNumber,
    raise: upload,
  },
  shipping_misconfigured: {
    world: refusing('/upload_shipping_info', 48001),
    subject: hidden,
    raise: upload,
  },
  delivery_unconfirmed: {
    subject: orderNumber,
    raise: async (world) => {
      const { attemptNo } = await plantVirtualPayment(world)
      await world.passTime({ minutes: 61 })
      world.platform.faults.add({ kind: 'error_before', at: 'xpay' })
      const ask = () => confirmDelivery(world.services, { attemptNo, attempt: 5 })
      const end = async () => {
        world.platform.faults.clear()
        await ask()
        await healAlerts({ services: world.services })
      }
      return { ...(await repeatable(ask)), end }
    },
  },
  reminder_misconfigured: {
    world: refusing('/subscribe/send', 40037),
    subject: hidden,
    raise: async (world) => {
      await setTemplates(world, { expiry_reminder: 'template-1' })
      await addSubscriber(world, 1)
      await world.passTime({ days: 27 })
      return repeatable(() => doJob(world, 'remind_expiring', {}))
    },
  },
} satisfies SomePlays
