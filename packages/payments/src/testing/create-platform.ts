import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerRequest, readAll } from './answer-request.ts'
import { paymentNotification, refundNotification } from './build-notification.ts'
import { type KnownMerchant, merchantOf } from './check-request.ts'
import { control } from './control-platform.ts'
import { announce, deliver, paymentAsItIs } from './deliver-notifications.ts'
import { createFaultInjection } from './fault-injection.ts'
import { settingsOf } from './merchant-settings.ts'
import { plantOrder } from './order-endpoints.ts'
import { orderOfParams, payOrder } from './pay-order.ts'
import { type PlatformClock, platformClock } from './platform-clock.ts'
import { generatePlatformKeys, generateVirtualKeys, makePlatformCertificate } from './platform-keys.ts'
import type { PlatformOrder, PlatformRefund } from './platform-records.ts'
import { type PlatformState, randomText, runDueTasks, stopSchedule, type Task } from './platform-state.ts'
import { noStore } from './platform-store.ts'
import type { BillDifference, PlantedOrder, PlatformCore, PlatformOptions } from './platform-types.ts'
import { settleRefund } from './refund-endpoints.ts'
import { restoreState } from './restore-state.ts'
import { changeSpeed, rampFromDayOne, rampNow } from './sign-and-seal.ts'
import { virtualActs } from './virtual-acts.ts'
import { closeSheet, endVirtualRefund } from './virtual-orders.ts'

/** A platform in memory: mount `listener` on a server, or use startPlatform. */
export function createPlatform(options: PlatformOptions = {}): PlatformCore {
  const state = stateAt(options, platformClock(options.now ?? (() => new Date())))
  state.perform = (task) => perform(state, task)
  restoreState(state)
  const merchant = merchantOf(state.keys)
  const core: PlatformCore = {
    ...reading(state),
    ...paying(state),
    ...tuning(state),
    ...virtualActs(state),
    listener: (request, response) => {
      void listen({ core, state, merchant }, request, response)
    },
    serves: (path) => /^\/(v3|sns|cgi-bin|wxa|xpay|xpay-bills|sandbox)\//.test(path),
    settings: (baseUrl, overrides = {}) => ({ ...settingsOf(state, baseUrl), ...overrides }),
  }
  return core
}

const stateAt = (options: PlatformOptions, clock: PlatformClock): PlatformState => ({
  keys: options.keys ?? generatePlatformKeys(),
  clock,
  now: clock.now,
  faults: createFaultInjection(),
  keyMode: options.keyMode ?? 'public_key',
  ramp: { share: 0.5 },
  rampDebt: 0,
  scheduleSpeed: options.scheduleSpeed ?? 1,
  orders: new Map(),
  refunds: new Map(),
  virtual: {
    keys: options.keys?.virtual ?? generateVirtualKeys(),
    orders: new Map(),
    refunds: new Map(),
    items: new Map(),
    sessionKeys: new Map(),
    push: null,
    settlesAfterMs: null,
  },
  loginCodes: new Map(),
  notificationIds: new Map(),
  requests: [],
  deliveries: [],
  store: options.store ?? noStore,
  scheduled: new Map(),
  perform: () => undefined,
  held: new Map(),
  accessToken: null,
  messages: [],
  shipped: new Set(),
  refundsSettleAfterMs: options.refundsSettleAfterMs === undefined ? 1_000 : options.refundsSettleAfterMs,
  sheetsCloseAfterMs: options.sheetsCloseAfterMs ?? null,
  billsAtOnce: options.billsAtOnce ?? false,
  billDifferences: [],
  bills: new Map(),
  billLinks: new Map(),
})

function perform(state: PlatformState, task: Task): unknown {
  if (task.act === 'announce') return announce(state, task.announcement, task.attempt)
  if (task.act === 'end_virtual_refund') {
    const refund = state.virtual.refunds.get(task.number)
    return refund?.status === 5 ? endVirtualRefund(state, refund, task.end) : undefined
  }
  if (task.act === 'close_sheet') {
    const order = state.virtual.orders.get(task.number)
    return order && closeSheet(state, order)
  }
  const refund = state.refunds.get(task.outRefundNo)
  return refund?.status === 'PROCESSING' ? settleRefund(state, refund, task.end) : undefined
}

const reading = (state: PlatformState) => ({
  keys: state.keys,
  orders: state.orders,
  refunds: state.refunds,
  faults: state.faults,
  requests: state.requests,
  deliveries: state.deliveries,
  messages: state.messages,
  shipped: state.shipped,
})

function orderNamed({ orders }: PlatformState, outTradeNo: string): PlatformOrder {
  const order = orders.get(outTradeNo)
  if (!order) throw new RangeError('the platform knows no such order')
  return order
}

function refundNamed({ refunds }: PlatformState, outRefundNo: string): PlatformRefund {
  const refund = refunds.get(outRefundNo)
  if (!refund) throw new RangeError('the platform knows no such refund')
  return refund
}

type Paying = Pick<
  PlatformCore,
  | 'loginCode'
  | 'pay'
  | 'requestPayment'
  | 'notification'
  | 'refundNotification'
  | 'deliver'
  | 'resend'
  | 'settleRefund'
>

const paying = (state: PlatformState): Paying => ({
  loginCode: (openid) => {
    const code = `0a${randomText(15)}`
    state.loginCodes.set(code, { openid, madeAt: state.now(), used: false })
    return code
  },
  pay: async (outTradeNo, changes = {}) => payOrder(state, orderNamed(state, outTradeNo), changes),
  requestPayment: async (params, { openid, ...changes }) =>
    payOrder(state, orderOfParams(state, params, openid), changes),
  notification: (outTradeNo, changes) =>
    paymentNotification(state, { ...orderNamed(state, outTradeNo), state: 'SUCCESS' }, changes),
  refundNotification: (outRefundNo, changes) =>
    refundNotification(state, refundNamed(state, outRefundNo), changes),
  deliver: (notification) => deliver(state, notification),
  resend: (outTradeNo) => {
    const order = orderNamed(state, outTradeNo)
    return announce(state, { about: paymentAsItIs(order), once: true })
  },
  settleRefund: (outRefundNo, status = 'SUCCESS') =>
    settleRefund(state, refundNamed(state, outRefundNo), status),
})

const tuning = (state: PlatformState) => ({
  plantOrder: (planted: PlantedOrder) => plantOrder(state, planted),
  useKeyMode: (mode: PlatformState['keyMode']) => {
    state.keyMode = mode
  },
  setRamp: (share: number) => {
    state.ramp = { share }
  },
  startRamp: () => {
    state.keyMode = 'mixed'
    state.ramp = rampFromDayOne(state)
  },
  keysInUse: () => ({ mode: state.keyMode, ...rampNow(state) }),
  setScheduleSpeed: (speed: number) => changeSpeed(state, speed),
  setBillsAtOnce: (atOnce: boolean) => {
    state.billsAtOnce = atOnce
  },
  plantDifferences: (differences: readonly BillDifference[]) => {
    state.billDifferences = [...differences]
    state.bills.clear()
  },
  rotateCertificate: () => {
    const made = makePlatformCertificate(state.now())
    state.keys.certificates.unshift(made)
    state.store.save({ kind: 'certificate', key: made.serial, value: made })
  },
  moveClock: async (byMs: number, meanwhile?: () => Promise<void>) => {
    await state.clock.move(byMs, meanwhile)
    await runDueTasks(state)
  },
  setClock: async (aheadMs: number) => {
    state.clock.set(aheadMs)
    await runDueTasks(state)
  },
  now: state.clock.now,
  stopSchedule: () => stopSchedule(state),
})

type Desk = { core: PlatformCore; state: PlatformState; merchant: KnownMerchant }

async function listen({ core, state, merchant }: Desk, request: IncomingMessage, response: ServerResponse) {
  try {
    const text = await readAll(request)
    const [path = ''] = (request.url ?? '').split('?')
    if (!path.startsWith('/sandbox/')) {
      await state.clock.settled()
      return await answerRequest({ state, merchant, request, response, text })
    }
    const { status, body } = await control(core, `${request.method} ${path}`, text)
    response
      .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
      .end(JSON.stringify(body))
  } catch {
    if (!response.headersSent) response.writeHead(500)
    response.end()
  }
}
