import { type Query, query } from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import { raiseAlertSql, resolveAlertStatement } from '../../src/alerts/write-alert.ts'
import { healingOf } from '../../src/monitoring/heal-alerts.ts'
import { recordNotificationStatement } from '../../src/notifications/record-notification.ts'
import { closing, findPayableOrderQuery, moveOrderStatement } from '../../src/orders/move-order.ts'
import { prepareStatement } from '../../src/orders/obtain-prepay.ts'
import { openOrderStatement } from '../../src/orders/open-order.ts'
import { keepAttemptStatement } from '../../src/orders/order-attempts.ts'
import { parkOrderStatement } from '../../src/orders/park-order.ts'
import { watchAttemptsPart } from '../../src/orders/sweep-schedule.ts'
import { asAgreed } from '../../src/payments/agreed-payments.ts'
import { payStatement } from '../../src/payments/apply-payment.ts'
import { decideParkedStatement } from '../../src/payments/decide-parked.ts'
import type { Arrival } from '../../src/payments/decide-payment.ts'
import { payAgreedStatement } from '../../src/payments/pay-agreed.ts'
import { unknownPushStatement } from '../../src/payments/record-unknown-push.ts'
import { refusalStatement, repeatStatement } from '../../src/payments/refuse-payment.ts'
import { repeatAgreedStatement } from '../../src/payments/repeat-agreed.ts'
import { decideRequestStatement } from '../../src/refunds/decide-request.ts'
import {
  decideReturnedLateStatement,
  insertToldRefundStatement,
  keepToldRefundStatement,
} from '../../src/refunds/external-refunds.ts'
import { requestRefundStatement } from '../../src/refunds/request-refund.ts'
import { returnSecondPaymentStatement } from '../../src/refunds/return-second-payment.ts'
import { moveRefundStatement } from '../../src/refunds/settle-refund.ts'
import { changesOfSuccess, succeedRefundStatement } from '../../src/refunds/succeed-refund.ts'
import { succeedSecondRefundStatement } from '../../src/refunds/succeed-second-refund.ts'
import { grantDaysStatement } from '../../src/subscriptions/change-days.ts'
import { grantTrialStatement } from '../../src/subscriptions/grant-trial.ts'
import { samplePayment, samplePush } from './sample-delivery.ts'

const outTradeNo = 'M00000000000000000000000001'
const outRefundNo = 'R00000000000000000000000001'
const operatorId = '00000000-0000-7000-8000-000000000001'
const userId = '00000000-0000-7000-8000-000000000002'
const from = { address: '127.0.0.1', userAgent: '', requestId: 'request' }
const params = { mode: 'short_series_goods', signData: '{}', paySig: '00', signature: '00' } as const
const trace = { channel: 'job', requestId: null } as const

const merchants = {
  payments: { appId: 'wx', mchId: '1900000000', platformHost: 'api.mch.weixin.qq.com' },
  virtual: { appId: 'wx', offerId: '1450000000', platformHost: 'api.weixin.qq.com/0' },
}
const intent = {
  buyer: { userId, openid: 'oBuyer', requestId: 'request' },
  planCode: 'monthly',
  expectedAmountFen: null,
  platform: 'ios',
  idempotencyKey: 'key',
  channels: ['jsapi', 'virtual'],
  loginCode: 'code',
} as const

const orders = () => [
  openOrderStatement(merchants, intent),
  ...[true, false].map((isPlanned) =>
    prepareStatement({ outTradeNo, prepayId: 'wx1', requestId: 'r', platformRequestId: null, isPlanned }),
  ),
  keepAttemptStatement({ outTradeNo, number: outTradeNo, params, requestId: 'r' }),
  keepAttemptStatement({ outTradeNo, number: 'M00000000000000000000000002', params, requestId: 'r' }),
  moveOrderStatement(closing({ outTradeNo, reason: 'expired', trace })),
  moveOrderStatement(
    closing({ outTradeNo, reason: 'expired', trace, follow: watchAttemptsPart('follow_up') }),
  ),
  parkOrderStatement({ outTradeNo, reason: 'refunded_elsewhere', trace }),
]

const decisions = ['release', 'leave', 'activate', 'refund'] as const
const parked = () =>
  decisions.map((decision) => {
    const decided = { outTradeNo, parkReason: 'late_payment', note: 'note', operatorId, from }
    // Unnamed, because its text varies with the decision; here each has a name to be found by.
    return {
      ...decideParkedStatement({ ...decided, action: 'order.decide', decision }),
      name: `decide-parked-${decision}`,
    }
  })

const agreed = (payment: ConfirmedPayment, arrival: Arrival) => {
  const told = asAgreed(payment, arrival)
  if (!told) throw new Error('a payment to decide about')
  return [told]
}

async function applied() {
  const { payment, delivery } = await samplePayment()
  const { payment: pushed, delivery: push } = await samplePush()
  const arrival = { confirmedBy: 'sync', requestId: null, payerDiffers: false } as const
  const notified = { ...arrival, confirmedBy: 'notification', delivery } as const
  const refusals = (['mismatch', 'second_transaction', 'order_unknown'] as const).flatMap((verdict) =>
    [arrival, notified].map((arrival) =>
      refusalStatement(payment, { outTradeNo, arrival, verdict, detail: {} }),
    ),
  )
  const seconds = [arrival, { ...notified, delivery: push }].map((arrival) =>
    refusalStatement(pushed, { outTradeNo, arrival, verdict: 'second_transaction', detail: {} }),
  )
  return [
    findPayableOrderQuery(payment),
    findPayableOrderQuery(pushed),
    payStatement({ outTradeNo, payment }, arrival),
    payStatement({ outTradeNo, payment }, notified),
    payStatement({ outTradeNo, payment: pushed }, { ...arrival, env: 0 }),
    payStatement({ outTradeNo, payment: pushed }, { ...notified, delivery: push, env: 0 }),
    payAgreedStatement('jsapi', agreed(payment, notified)),
    payAgreedStatement('virtual', agreed(pushed, { ...notified, delivery: push, env: 0 })),
    repeatAgreedStatement('jsapi', agreed(payment, notified)),
    repeatAgreedStatement('virtual', agreed(pushed, { ...notified, delivery: push, env: 0 })),
    unknownPushStatement(push, outTradeNo),
    ...refusals,
    ...seconds,
    repeatStatement(outTradeNo, delivery),
    recordNotificationStatement(delivery, { outcome: 'ignored' }),
  ]
}

const second = {
  outTradeNo,
  transactionId: '42',
  amountFen: 2900,
  reason: 'duplicate',
  note: '',
  reservedFen: 0,
} as const
const success = {
  outRefundNo,
  refundId: null,
  succeededAt: null,
  move: 'succeed',
  trace,
  isSecond: false,
} as const
const told = {
  refundId: 'wxr1',
  outTradeNo,
  amountFen: 2900,
  status: 'succeeded',
  succeededAt: null,
} as const
const requested = { outTradeNo, isOwn: false, isLate: false }
const refunds = () => [
  requestRefundStatement({
    outTradeNo,
    amountFen: 2900,
    reason: 'user_request',
    note: null,
    keepDays: false,
    operatorId,
    requestId: 'request',
  }),
  returnSecondPaymentStatement(second, { operatorId, from }),
  decideRequestStatement({ outRefundNo, operatorId, approve: true, from }, requested),
  decideRequestStatement({ outRefundNo, operatorId, approve: true, from }, { ...requested, isLate: true }),
  decideRequestStatement({ outRefundNo, operatorId, approve: false, from }, requested),
  ...(['processing', 'closed', 'abnormal'] as const).map((status) =>
    moveRefundStatement({ outRefundNo, refundId: '50', status }, trace),
  ),
  succeedRefundStatement(success),
  succeedRefundStatement({ ...success, move: 'acceptSuccess' }),
  succeedSecondRefundStatement({ ...success, changes: changesOfSuccess(success) }),
  keepToldRefundStatement(told, outTradeNo, trace),
  insertToldRefundStatement(told, { orderId: 1n, secondPaymentId: null }),
  decideReturnedLateStatement(outTradeNo, trace),
]

const days = () => [
  grantDaysStatement({ userId, operatorId, reason: 'reason', days: 30 }),
  grantTrialStatement({ userId, serialNumber: 'SN', days: 7, openidMac: null }),
]

const healed = ['order_unknown', 'order_parked', 'second_transaction', 'refund_stuck'] as const
const alerts = () => [
  query('raise-alert', raiseAlertSql('order_parked', outTradeNo, {})),
  ...healed.map(healingOf).filter((healing) => healing !== null),
  resolveAlertStatement({ alertId: '1', operatorId, from, resolution: 'resolution' }),
]

/** Every statement that moves money or days, with sample values: what PostgreSQL gets, without one. */
export async function moneyStatements(): Promise<Query[]> {
  return [...orders(), ...(await applied()), ...parked(), ...refunds(), ...days(), ...alerts()]
}
