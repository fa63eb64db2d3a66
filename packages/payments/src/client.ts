import { fundFlowLayout, tradeBillLayout } from './bills/bill-layouts.ts'
import { fetchBill, fundFlowBill, tradeBill } from './bills/fetch-bill.ts'
import { type Credentials, checkSettings, type PaymentSettings } from './check-settings.ts'
import { askOrder, type CallParts, closeOrder, paymentParams, prepay } from './endpoints/order-calls.ts'
import { applyAbnormalRefund, queryRefund, requestRefund } from './endpoints/refund-calls.ts'
import { type KeyRing, keyRing } from './key-ring/key-ring.ts'
import { judgeCertificates, keyRefresher } from './key-ring/refresh-keys.ts'
import { notificationReader, notificationRereader } from './notification/read-notification.ts'
import type { Payments } from './payments.ts'
import { PaymentsError } from './payments-error.ts'
import { type Call, caller, type Judge, unverified, verifyAnswer } from './request.ts'
import type { Runtime } from './runtime.ts'
import type { RawAnswer, Sender } from './send-once.ts'

/**
 * One merchant's way to WeChat Pay. Reads every key once; make it once and keep it. Throws PaymentSettingsError with
 * all that is wrong (protocol §12).
 */
export function createPayments(settings: PaymentSettings, runtime: Runtime): Payments {
  const credentials = checkSettings(settings)
  const ring = keyRing(credentials.platformKeys, {
    merchantSerialNo: credentials.serialNo,
    now: runtime.now,
  })
  const skew = skewGauge(runtime.now)
  const pipes = openPipes({ credentials, ring, runtime, sawAnswer: skew.sawAnswer })
  const parts: CallParts = { credentials, runtime, call: pipes.call }
  const secrets = { keyFor: ring.keyFor, apiV3Keys: credentials.apiV3Keys }
  return {
    appId: credentials.appId,
    mchId: credentials.mchId,
    platformHost: credentials.baseUrl.host,
    readNotification: notificationReader(secrets, runtime.now),
    rereadNotification: notificationRereader(secrets),
    prepay: (order) => prepay(parts, order),
    paymentParams: (prepayId) => paymentParams(parts, prepayId),
    queryOrder: (outTradeNo, signal) => askOrder(parts, { outTradeNo }, signal),
    queryTransaction: (transactionId, signal) => askOrder(parts, { transactionId }, signal),
    closeOrder: (outTradeNo, signal) => closeOrder(parts, outTradeNo, signal),
    requestRefund: (refund) => requestRefund(parts, refund),
    queryRefund: (outRefundNo, signal) => queryRefund(parts, outRefundNo, signal),
    applyAbnormalRefund: (refund) => applyAbnormalRefund(parts, refund, ring.preferred()),
    tradeBill: async (date) => fetchBill(pipes, tradeBill(date), tradeBillLayout),
    fundFlowBill: async (date, account = 'BASIC') =>
      fetchBill(pipes, fundFlowBill(date, account), fundFlowLayout),
    refreshKeys: pipes.keys.refresh,
    adoptKeys: pipes.keys.adopt,
    keyReport: pipes.keys.report,
    clockSkewMs: skew.ms,
  }
}

type PipeParts = {
  credentials: Credentials
  ring: KeyRing
  runtime: Runtime
  sawAnswer: (answer: RawAnswer) => void
}

/** Two pipes that differ only in how the answer is judged: certificates bring their own key. */
function openPipes({ credentials, ring, runtime, sawAnswer }: PipeParts) {
  const { now } = runtime
  const sender: Sender = { credentials, runtime, serial: () => ring.preferred()?.id ?? null }
  const callForKeys = caller({ sender, judge: judgeCertificates({ credentials, ring, now }), sawAnswer })
  const keys = keyRefresher({ credentials, ring, now, call: callForKeys })
  const judge: Judge = async (raw) => {
    try {
      verifyAnswer(raw, ring.keyFor, now())
    } catch (error) {
      if (!isUnknownSerial(error) || !(await keys.learn().catch(() => false))) throw unverified(error, raw)
      verifyOnceMore(raw, ring, now())
    }
  }
  const call: Call = caller({ sender, judge, sawAnswer })
  return { call, keys, sender }
}

const isUnknownSerial = (error: unknown): boolean =>
  error instanceof PaymentsError && error.reason === 'unknown_serial'

function verifyOnceMore(raw: RawAnswer, ring: KeyRing, now: Date): void {
  try {
    verifyAnswer(raw, ring.keyFor, now)
  } catch (error) {
    throw unverified(error, raw)
  }
}

/** How far the platform's clock is from ours, as the last answer showed it, to the second. */
function skewGauge(now: () => Date) {
  let ms: number | null = null
  return {
    ms: () => ms,
    sawAnswer: ({ headers }: RawAnswer) => {
      const date = Date.parse(headers.get('date') ?? '')
      if (!Number.isNaN(date)) ms = date - now().getTime()
    },
  }
}
