import { invalid } from '../endpoints/endpoint.ts'
import type { AuthorizedCall } from '../mini-program/call-mini-program.ts'
import { MiniProgramError } from '../mini-program/mini-program.ts'
import type { Runtime } from '../runtime.ts'
import { confirmAttempt, confirmVirtualRefund } from './confirm-order.ts'
import { downloadBill } from './download-bill.ts'
import { readAesKey, sealAnswer, verifyAddress } from './push.ts'
import { readPush } from './read-push.ts'
import { CLIENT_CALL, paySigOf, userSignatureOf } from './signatures.ts'
import type {
  RefundOpinion,
  VirtualAttempt,
  VirtualPaymentParams,
  VirtualPayments,
  VirtualSettings,
} from './virtual-payments.ts'
import * as endpoints from './xpay.ts'
import { xpayCaller } from './xpay.ts'

/** What a login code was exchanged for; the key never leaves this package. */
export type Session = { openid: string; sessionKey: string | null }

export type Connection = {
  appId: string
  baseUrl: string
  runtime: Runtime
  call: AuthorizedCall
  exchangeCode: (code: string) => Promise<Session>
}

/** Opens virtual payment on the connection of a mini-program, whose access token it shares. */
export function openVirtualPayments(connection: Connection, settings: VirtualSettings): VirtualPayments {
  const { appId, baseUrl, runtime, call, exchangeCode } = connection
  const { offerId, appKey, env, pushToken } = settings
  const ask = xpayCaller(call, appKey)
  const keys = { token: pushToken, aesKey: readAesKey(settings.pushAesKey), appId }
  return {
    appId,
    offerId,
    env,
    platformHost: `${new URL(baseUrl).host}/${env}`,
    signPayment: async (attempt, { loginCode, openid }) => {
      const signData = signDataOf(attempt, settings)
      const session = await exchangeCode(loginCode)
      if (session.openid !== openid) throw new MiniProgramError('other_user')
      if (session.sessionKey === null) throw new MiniProgramError('unreachable')
      return signed(signData, appKey, session.sessionKey)
    },
    queryOrder: (number, payerOpenid) => ask(endpoints.queryOrder(number, payerOpenid, env)),
    queryAttempt: async (attemptNo, payerOpenid) => {
      const order = await ask(endpoints.queryOrder(attemptNo, payerOpenid, env)).catch(nullIfUnknown)
      return order
        ? confirmAttempt(order, { appId, payerOpenid })
        : { requestId: null, state: 'no_such_order' }
    },
    queryRefund: async (outRefundNo, payerOpenid) => {
      const refund = await ask(endpoints.queryOrder(outRefundNo, payerOpenid, env)).catch(nullIfUnknown)
      return refund
        ? { requestId: null, state: 'known', refund: confirmVirtualRefund(refund) }
        : { requestId: null, state: 'no_such_refund' }
    },
    provideGoods: async (attemptNo) => {
      await ask(endpoints.provideGoods(attemptNo, env))
    },
    requestRefund: (refund) => ask(endpoints.requestRefund(refund, env)),
    uploadItem: async (item) => {
      await ask(endpoints.uploadItem(item, env))
    },
    uploadedItems: () => ask(endpoints.uploadedItems(env)),
    publishItem: async (id) => {
      await ask(endpoints.publishItem(id, env))
    },
    publishedItems: () => ask(endpoints.publishedItems(env)),
    dailyBill: (date) => ask(endpoints.dailyBill(date)),
    appleBill: (month) => ask(endpoints.appleBill(month)),
    downloadBill: (url) => downloadBill({ runtime, baseUrl }, url),
    verifyAddress: (query) => verifyAddress(query, keys),
    readPush: (query, body) => readPush(query, body, keys),
    answerInquiry: (opinion) =>
      sealAnswer(opinionAnswer(opinion), keys, { now: runtime.now(), nonce: runtime.nonce() }),
  }
}

/** That the platform knows no such number is an answer; every other error is a failure, and never "not paid". */
function nullIfUnknown(error: unknown): null {
  if (error instanceof MiniProgramError && error.reason === 'unknown_order') return null
  throw error
}

/**
 * Serialised here once: from now on it is a text (virtual payment §2.3). One is bought, since no page says whether a push
 * tells the price of one or of all, and the attachment is as short as the number (§2.2, assumptions in §9).
 */
function signDataOf(
  { attemptNo, productId, amountFen }: VirtualAttempt,
  { offerId, env }: VirtualSettings,
): string {
  if (!/^[0-9A-Za-z\-|*@][0-9A-Za-z_\-|*@]{7,31}$/.test(attemptNo)) throw invalid('outTradeNo')
  if (!/^[0-9A-Za-z_-]{1,20}$/.test(productId)) throw invalid('productId')
  if (!Number.isSafeInteger(amountFen) || amountFen < 1) throw invalid('goodsPrice')
  return JSON.stringify({
    offerId,
    buyQuantity: 1,
    env,
    currencyType: 'CNY',
    productId,
    goodsPrice: amountFen,
    outTradeNo: attemptNo,
    attach: attemptNo,
  })
}

const signed = (signData: string, appKey: string, sessionKey: string): VirtualPaymentParams => ({
  mode: 'short_series_goods',
  signData,
  paySig: paySigOf(appKey, CLIENT_CALL, signData),
  signature: userSignatureOf(sessionKey, signData),
})

/** Flat, as it was seen; the pages leave it open (virtual payment §4.6, assumption in §9). */
const opinionAnswer = ({ letPass, info, evidence }: RefundOpinion) => ({
  result_code: letPass ? 0 : 1,
  result_info: info,
  evidence,
})
