import { setTimeout as delay } from 'node:timers/promises'
import type { PaymentParams } from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import type { Payments } from '@meridian/payments'
import { findOffer } from '../plans/list-plans.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'
import { leasePrepay, obtainPrepay, type PlatformFailure } from './obtain-prepay.ts'
import {
  type Buyer,
  type FoundOrder,
  findOrderByKey,
  type OpenOrder,
  openOrder,
  openTappedOrder,
  type PurchaseIntent,
  reloadOrder,
} from './open-order.ts'
import { signAttempt } from './sign-attempt.ts'

export type PurchaseResult = { outTradeNo: string; paymentParams: PaymentParams; first: boolean }

/**
 * An unpaid order of which only the platform knows whether it was paid before: its time has run out, it is on another
 * channel than today's, or a number of it was signed already.
 */
export type Unsettled = { order: OpenOrder; unsettled: 'overdue' | 'other_channel' | 'attempted' }

/** As long a repeat waits for the call in flight (SPEC §2). */
export const waitForFirstCallMs = 6000
const lookAgainMs = 120

/**
 * Buys a plan: stores the order, then obtains its prepay or signs its first attempt. The same key carries on with the
 * same order wherever the last call stopped, until its time has run out.
 * @throws DomainError as SPEC's purchase lists them
 */
export async function purchasePlan(
  services: Services,
  intent: PurchaseIntent,
): Promise<PurchaseResult | Unsettled> {
  const { payments, virtual, database } = services
  if (!payments && !virtual) throw new DomainError('payment_not_configured')
  const beganMs = performance.now()
  const { order, first } = await startOrder(services, intent)
  refuseOtherIntent(order, intent)
  if (isOnOtherChannel(order)) {
    refuseSettled(order)
    return { order, unsettled: 'other_channel' }
  }
  if (order.channel === 'virtual')
    return first ? signFirst(services, order, intent) : carryOnVirtually(database.pool, order, intent)
  const { requestId } = intent.buyer
  if (!payments) throw new DomainError('payment_not_configured')
  const prepayId = first
    ? await preparePayment(database.pool, payments, { order, requestId, openedMs: beganMs })
    : await carryOn(database.pool, payments, { order, requestId, channels: intent.channels })
  if (prepayId === null) return { order, unsettled: 'overdue' }
  return { outTradeNo: order.outTradeNo, paymentParams: await payments.paymentParams(prepayId), first }
}

/** Most purchases are new ones of what is on sale, hence the order of the questions. */
async function startOrder(services: Services, intent: PurchaseIntent) {
  const { pool } = services.database
  const { buyer, idempotencyKey } = intent
  const { opened, existing } =
    idempotencyKey === null
      ? await openTappedOrder(pool, services, intent)
      : { opened: await openOrder(pool, services, intent), existing: null }
  if (opened) {
    const { outTradeNo: number, row, ...order } = opened
    services.recentPurchases.openedOrder({ number, openid: buyer.openid, userId: buyer.userId, row })
    return { order: { outTradeNo: number, ...order }, first: true }
  }
  const order = existing ?? (idempotencyKey ? await findOrderByKey(pool, intent, idempotencyKey) : null)
  if (order) return { order, first: false }
  await refuseErasedBuyer(pool, buyer)
  await refuseWithoutOffer(services, intent)
  throw new DomainError('service_unavailable')
}

/** Whoever was erased between the look at their token and the order is nobody any more. */
async function refuseErasedBuyer(pool: Pool, { userId }: Buyer): Promise<void> {
  const living = await execute(
    pool,
    query(
      'find-living-buyer',
      Prisma.sql`SELECT FROM users WHERE id = ${userId}::uuid AND erased_at IS NULL`,
    ),
  )
  if (living.length === 0) throw new DomainError('unauthenticated')
}

/** Virtual payment is signed with what this code is exchanged for: every call has one of its own. */
const withoutLoginCode = () =>
  new DomainError('invalid_request', {
    errors: [
      {
        path: 'login_code',
        message: {
          zh: '虚拟支付需要 wx.login 的 code',
          en: 'is required by virtual payment: a code of wx.login',
        },
      },
    ],
  })

async function refuseWithoutOffer(services: Services, intent: PurchaseIntent): Promise<void> {
  const offer = await findOffer(services.database.pool, intent)
  if (!offer) throw new DomainError('plan_not_found')
  const { channel, isSold, priceFen } = offer
  if (channel === 'none') throw new DomainError('sale_not_allowed')
  if (!intent.channels.includes(channel)) throw new DomainError('channel_not_supported')
  if (!isSold) throw new DomainError('plan_not_found')
  const { expectedAmountFen, loginCode } = intent
  if (expectedAmountFen !== null && expectedAmountFen !== priceFen) throw new DomainError('price_changed')
  if (!(channel === 'jsapi' ? services.payments : services.virtual))
    throw new DomainError('payment_not_configured')
  if (channel === 'virtual' && loginCode === null) throw withoutLoginCode()
}

function refuseOtherIntent(order: OpenOrder, { planCode, expectedAmountFen }: PurchaseIntent): void {
  if (order.planCode !== planCode) throw new DomainError('idempotency_key_reused')
  if (expectedAmountFen !== null && expectedAmountFen !== order.amountFen)
    throw new DomainError('price_changed')
}

function refuseSettled({ status, outTradeNo }: OpenOrder): void {
  if (status === 'paid' || status === 'refunded') throw new DomainError('order_already_paid', { outTradeNo })
  if (status === 'closed') throw new DomainError('order_closed', { outTradeNo })
}

/** An order is paid by its own channel alone, which an older client may not know (SPEC §15). */
function refuseUnsupported({ channel }: OpenOrder, channels: PurchaseIntent['channels']): void {
  if (!channels.includes(channel)) throw new DomainError('channel_not_supported')
}

/** @throws DomainError order_already_paid or order_closed where the order is */
export async function refuseIfSettled(pool: Pool, outTradeNo: string): Promise<void> {
  const order = await reloadOrder(pool, outTradeNo)
  if (order) refuseSettled(order)
}

async function signFirst(services: Services, order: OpenOrder, { buyer, loginCode }: PurchaseIntent) {
  const { outTradeNo } = order
  if (!services.virtual || loginCode === null) throw new DomainError('payment_not_configured')
  const signing = { order, requestId: buyer.requestId, loginCode, isFurther: false }
  const paymentParams = await signAttempt(services, services.virtual, signing)
  if (paymentParams) return { outTradeNo, paymentParams, first: true }
  await refuseIfSettled(services.database.pool, outTradeNo)
  throw new DomainError('order_closed', { outTradeNo })
}

/** A repeat of virtual payment: whether it goes on, and with which number, depends on what the platform knows. */
async function carryOnVirtually(pool: Pool, order: OpenOrder, intent: PurchaseIntent): Promise<Unsettled> {
  const current = await awaitCallInFlight(pool, order, performance.now() + waitForFirstCallMs)
  refuseSettled(current)
  if (current.overdue) return { order: current, unsettled: 'overdue' }
  refuseUnsupported(current, intent.channels)
  if (intent.loginCode === null) throw withoutLoginCode()
  return { order: current, unsettled: 'attempted' }
}

/** Whether the client would buy by another channel today: an order keeps its own (SPEC §15). */
const isOnOtherChannel = (order: OpenOrder | FoundOrder): boolean =>
  'channelNow' in order && order.channelNow !== 'none' && order.channelNow !== order.channel

type Repeat = { order: OpenOrder; requestId: string } & Pick<PurchaseIntent, 'channels'>

async function preparePayment(
  pool: Pool,
  payments: Payments,
  asking: Parameters<typeof obtainPrepay>[2],
): Promise<string> {
  const { outTradeNo } = asking.order
  const prepayId = await obtainPrepay(pool, payments, asking)
  if (prepayId) return prepayId
  await refuseIfSettled(pool, outTradeNo)
  throw new DomainError('order_closed', { outTradeNo })
}

/**
 * A repeat: waits for a call in flight and answers the same, else takes up the work where it was left. Null where the
 * order's time has run out.
 */
async function carryOn(
  pool: Pool,
  payments: Payments,
  { order, requestId, channels }: Repeat,
): Promise<string | null> {
  const deadline = performance.now() + waitForFirstCallMs
  let current = order
  for (;;) {
    const waited = current.leased
    current = await awaitCallInFlight(pool, current, deadline)
    refuseSettled(current)
    if (current.overdue) return null
    refuseUnsupported(current, channels)
    if (current.prepayFresh && current.prepayId) return current.prepayId
    if (waited && current.prepayFailure) throw failureOfFirstCall(current)
    if (await leasePrepay(pool, current.outTradeNo))
      return preparePayment(pool, payments, { order: current, requestId, openedMs: null })
    // Somebody else took it up a moment ago: their call is the one in flight now.
    current = { ...((await reloadOrder(pool, current.outTradeNo)) ?? current), leased: true }
  }
}

function failureOfFirstCall({ prepayFailure, outTradeNo }: OpenOrder): DomainError {
  const timedOut: PlatformFailure = 'payment_platform_timeout'
  return new DomainError(prepayFailure === timedOut ? timedOut : 'payment_platform_error', { outTradeNo })
}

/** @throws DomainError idempotency_in_progress once the deadline has passed and the call is still in flight */
export async function awaitCallInFlight(pool: Pool, order: OpenOrder, deadline: number): Promise<OpenOrder> {
  let current = order
  while (current.leased) {
    const { outTradeNo } = current
    if (performance.now() > deadline) throw new DomainError('idempotency_in_progress', { outTradeNo })
    await delay(lookAgainMs)
    current = (await reloadOrder(pool, outTradeNo)) ?? current
  }
  return current
}
