import { decideLate, decideParked } from '../../src/payments/decide-parked.ts'
import { decideRequest } from '../../src/refunds/decide-request.ts'
import { requestRefund } from '../../src/refunds/request-refund.ts'
import { returnSecondPayment } from '../../src/refunds/return-second-payment.ts'
import { type Account, isLarge, isPaid, type Order, orderNamed, plans, sumOf } from './account.ts'
import { Disagreement } from './effects.ts'
import { isGivenBack, type LateDecision } from './payment-rules.ts'
import type { ActOf, Which } from './steps.ts'
import { type Call, choose, employee, other, storyEnd, type Visit, wordsOf } from './visit.ts'

const from = { requestId: 'model', address: '127.0.0.1', userAgent: 'model' }
const byApple = 'refund_by_apple'

/** Somebody asks for money of an order back. What Apple took is Apple's to give back. */
export function request(visit: Visit, act: ActOf<'request'>): Call | null {
  const { order: index, on, part, keepDays, by } = act
  const order = choose(visit.account.orders.filter(isPaid), index)
  if (!order) return null
  const amountFen = Math.max(1, Math.floor(plans[order.plan].amountFen * part))
  const requestedBy = employee(visit, by)
  const wish = { orderNo: order.no, second: null, amountFen, keepDays, requestedBy }
  return {
    name: `request ${amountFen} of ${order.no}`,
    make: () =>
      storyEnd(
        requestRefund(visit.shop.replicas[on].services.database.pool, {
          outTradeNo: order.no,
          amountFen,
          keepDays,
          reason: 'user_request',
          note: null,
          operatorId: requestedBy,
          requestId: 'model',
        }),
      ),
    effects: ({ failed, answer }) => {
      if (!failed && (answer === byApple) !== order.byApple)
        throw new Disagreement(`asking for a refund of ${order.no} was answered ${answer}`)
      if (order.byApple) return []
      if (answer === 'refund_not_possible') return [{ is: 'refused', certain: true, wish }]
      return [{ is: 'requested', certain: !failed, wish }]
    },
  }
}

/** The same of a payment beside the order's own. */
export function returnSecond(visit: Visit, act: ActOf<'returnSecond'>): Call | null {
  const { order: index, on, part, by } = act
  const payment = choose(visit.account.seconds, index)
  if (!payment) return null
  const { orderNo, paymentNo } = payment
  const order = orderNamed(visit.account, orderNo)
  const amountFen = Math.max(1, Math.floor(plans[order.plan].amountFen * part))
  const requestedBy = employee(visit, by)
  const wish = { orderNo, second: paymentNo, amountFen, keepDays: true, requestedBy }
  const held = visit.account.refunds.filter((one) => one.orderNo === orderNo && one.second !== null)
  const asked = {
    outTradeNo: orderNo,
    transactionId: paymentNo,
    amountFen,
    reason: 'duplicate',
    note: 'model',
    reservedFen: sumOf(held),
  } as const
  return {
    name: `return ${amountFen} of ${paymentNo}`,
    make: () =>
      storyEnd(
        returnSecondPayment(visit.shop.replicas[on].services.database.pool, asked, {
          operatorId: requestedBy,
          from,
        }),
      ),
    effects: ({ failed, answer }) => {
      if (!failed && payment.byApple && !['refund_not_possible', byApple].includes(answer))
        throw new Disagreement(`returning ${paymentNo} was answered ${answer}`)
      if (payment.byApple) return []
      if (answer === 'refund_not_possible') return [{ is: 'refused', certain: true, wish }]
      return [{ is: 'requested', certain: !failed, wish }]
    },
  }
}

export function decide(visit: Visit, { refund: index, on, approve, by }: ActOf<'decide'>): Call | null {
  const waiting = visit.account.refunds.filter(({ status }) => status === 'requested')
  const refund = choose(waiting.length > 0 ? waiting : visit.account.refunds, index)
  if (!refund) return null
  const operatorId = employee(visit, by)
  const { pool } = visit.shop.replicas[on].services.database
  const expected =
    refund.status !== 'requested'
      ? 'changed_meanwhile'
      : approve && refund.requestedBy === operatorId
        ? 'second_person_required'
        : 'done'
  return {
    name: `${approve ? 'approve' : 'reject'} ${refund.no}`,
    make: () => storyEnd(decideRequest(pool, { outRefundNo: refund.no, operatorId, approve })),
    effects: ({ failed, answer }) => {
      if (!failed && answer !== expected)
        throw new Disagreement(`deciding ${refund.no} was answered ${answer}, not ${expected}`)
      return expected === 'done' ? [{ is: 'decided', certain: !failed, no: refund.no, approve }] : []
    },
  }
}

type LateWords = { decision: LateDecision; rival: boolean }

/** What the deciders of a late payment may be told, in their order: one of two comes first, and is told so. */
function lateAnswers(account: Account, order: Order, { decision, rival }: LateWords): string[] {
  const refused = 'decision_not_possible'
  if (isGivenBack(account, order.no)) return [rival ? `${refused} ${refused}` : refused]
  if (order.byApple) return appleAnswers({ decision, rival })
  if (!rival) return ['done']
  const afterRefund = isLarge(account, order.no, plans[order.plan].amountFen) ? refused : 'changed_meanwhile'
  return decision === 'activate'
    ? ['done changed_meanwhile', `${afterRefund} done`]
    : [`done ${afterRefund}`, 'changed_meanwhile done']
}

/** Of Apple's payments the days alone can be given. */
function appleAnswers({ decision, rival }: LateWords): string[] {
  if (!rival) return [decision === 'activate' ? 'done' : byApple]
  return ['changed_meanwhile', byApple].map((refusal) =>
    decision === 'activate' ? `done ${refusal}` : `${refusal} done`,
  )
}

/** Finance decides about a payment that came too late; at the same moment somebody else decides otherwise. */
export function decideLatePayment(visit: Visit, act: ActOf<'decideLate'>): Call | null {
  const { order: index, on, decision, rival } = act
  const order = choose(
    visit.account.orders.filter(({ parkedFor }) => parkedFor === 'late_payment'),
    index,
  )
  if (!order) return null
  const { no } = order
  const otherwise = decision === 'activate' ? 'refund' : 'activate'
  const decideOn = (where: Which, wanted: LateDecision) =>
    storyEnd(
      decideLate(visit.shop.replicas[where].services.database.pool, {
        outTradeNo: no,
        parkReason: 'late_payment',
        decision: wanted,
        note: 'model',
        operatorId: visit.shop.finance,
        from,
      }),
    )
  return {
    name: `${decision} late ${no}`,
    make: async () => {
      const outcomes = await Promise.all([
        decideOn(on, decision),
        ...(rival ? [decideOn(other(on), otherwise)] : []),
      ])
      return { answer: wordsOf(outcomes), failed: outcomes.some(({ failed }) => failed) }
    },
    effects: ({ failed, answer }) => {
      const expected = lateAnswers(visit.account, order, { decision, rival })
      if (!failed && !expected.includes(answer))
        throw new Disagreement(`deciding about ${no} was answered ${answer}`)
      if (isGivenBack(visit.account, no)) return []
      const by = visit.shop.finance
      return [
        { is: 'lateDecided', certain: !failed && !rival, no, decision, by },
        ...(rival ? [{ is: 'lateDecided', certain: false, no, decision: otherwise, by } as const] : []),
      ]
    },
  }
}

/** An operator gives the days of an order whose money went back elsewhere, as far as anybody knew. */
export function activateParked(visit: Visit, { order: index, on }: ActOf<'activate'>): Call | null {
  const order = choose(
    visit.account.orders.filter(({ parkedFor }) => parkedFor === 'refunded_elsewhere'),
    index,
  )
  if (!order) return null
  const { no, status } = order
  const expected = status === 'paid' ? 'done' : 'decision_not_possible'
  return {
    name: `activate ${no}`,
    make: () =>
      storyEnd(
        decideParked(visit.shop.replicas[on].services.database.pool, {
          outTradeNo: no,
          parkReason: 'refunded_elsewhere',
          decision: 'activate',
          note: 'model',
          operatorId: visit.shop.owner,
          from,
        }),
      ),
    effects: ({ failed, answer }) => {
      if (!failed && answer !== expected)
        throw new Disagreement(`activating ${no} was answered ${answer}, not ${expected}`)
      return expected === 'done' ? [{ is: 'activated', certain: !failed, no }] : []
    },
  }
}
