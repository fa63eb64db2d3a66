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
  findOrderByKey,
  type OpenOrder,
  openOrder,
  openTappedOrder,
  type PurchaseIntent,
  reloadOrder,
} from './open-order.ts'

export type PurchaseResult = { outTradeNo: string; paymentParams: PaymentParams; first: boolean }

/** The key names an unpaid order whose time has run out. Whether it was paid before, only the platform knows. */
export type Overdue = { outTradeNo: string; overdue: true }

const waitForFirstCallMs = 6000
const lookAgainMs = 120

/**
 * Buys a plan: stores the order, obtains its prepay, signs what the phone needs. The same key carries on with the
 * same order wherever the last attempt stopped, until its time has run out.
 * @throws DomainError as SPEC's purchase lists them
 */
export async function purchasePlan(
  services: Services,
  intent: PurchaseIntent,
): Promise<PurchaseResult | Overdue> {
  const { payments, database } = services
  if (!payments) throw new DomainError('payment_not_configured')
  const { pool } = database
  const { order, first } = await startOrder(pool, payments, intent)
  refuseOtherIntent(order, intent)
  const { requestId } = intent.buyer
  const prepayId = first
    ? await preparePayment(pool, payments, { order, requestId })
    : await carryOn(pool, payments, { order, requestId })
  const { outTradeNo } = order
  if (prepayId === null) return { outTradeNo, overdue: true }
  return { outTradeNo, paymentParams: await payments.paymentParams(prepayId), first }
}

/** Most purchases are new ones of what is on sale, hence the order of the questions. */
async function startOrder(pool: Pool, payments: Payments, intent: PurchaseIntent) {
  const { buyer, idempotencyKey } = intent
  const { opened, existing } =
    idempotencyKey === null
      ? await openTappedOrder(pool, payments, intent)
      : { opened: await openOrder(pool, payments, intent), existing: null }
  if (opened) return { order: opened, first: true }
  const order = existing ?? (idempotencyKey ? await findOrderByKey(pool, buyer.userId, idempotencyKey) : null)
  if (order) return { order, first: false }
  await refuseErasedBuyer(pool, buyer)
  await refuseWithoutOffer(pool, intent)
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

async function refuseWithoutOffer(pool: Pool, intent: PurchaseIntent): Promise<void> {
  const offer = await findOffer(pool, intent)
  if (!offer) throw new DomainError('plan_not_found')
  if (!offer.sale.allowed) throw new DomainError('sale_not_allowed')
  const { expectedAmountFen } = intent
  if (expectedAmountFen !== null && expectedAmountFen !== offer.priceFen)
    throw new DomainError('price_changed')
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

/** @throws DomainError order_already_paid or order_closed where the order is */
export async function refuseIfSettled(pool: Pool, outTradeNo: string): Promise<void> {
  const order = await reloadOrder(pool, outTradeNo)
  if (order) refuseSettled(order)
}

type Continuation = { order: OpenOrder; requestId: string }

async function preparePayment(
  pool: Pool,
  payments: Payments,
  { order, requestId }: Continuation,
): Promise<string> {
  const { outTradeNo } = order
  const prepayId = await obtainPrepay(pool, payments, { order, requestId })
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
  { order, requestId }: Continuation,
): Promise<string | null> {
  const deadline = performance.now() + waitForFirstCallMs
  let current = order
  for (;;) {
    const waited = current.leased
    current = await awaitCallInFlight(pool, current, deadline)
    refuseSettled(current)
    if (current.overdue) return null
    if (current.prepayFresh && current.prepayId) return current.prepayId
    if (waited && current.prepayFailure) throw failureOfFirstCall(current)
    if (await leasePrepay(pool, current.outTradeNo))
      return preparePayment(pool, payments, { order: current, requestId })
    // Somebody else took it up a moment ago: their call is the one in flight now.
    current = { ...((await reloadOrder(pool, current.outTradeNo)) ?? current), leased: true }
  }
}

function failureOfFirstCall({ prepayFailure, outTradeNo }: OpenOrder): DomainError {
  const timedOut: PlatformFailure = 'payment_platform_timeout'
  return new DomainError(prepayFailure === timedOut ? timedOut : 'payment_platform_error', { outTradeNo })
}

async function awaitCallInFlight(pool: Pool, order: OpenOrder, deadline: number): Promise<OpenOrder> {
  let current = order
  while (current.leased) {
    const { outTradeNo } = current
    if (performance.now() > deadline) throw new DomainError('idempotency_in_progress', { outTradeNo })
    await delay(lookAgainMs)
    current = (await reloadOrder(pool, outTradeNo)) ?? current
  }
  return current
}
