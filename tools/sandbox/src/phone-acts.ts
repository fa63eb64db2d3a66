import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { JsapiPaymentParams, PaymentParams, VirtualPaymentParams } from '@meridian/contracts'
import { defaultPlans } from '@meridian/db/defaults'
import type { Delivery, PlatformCore, VirtualPayer } from '@meridian/payments/testing'

// A payment sheet closes as soon as WeChat has the money; the merchant may hear of it later.
const sheetClosesAfterMs = 300

export class PhoneRefusal extends Error {}

export type PhoneAct = (body: Record<string, unknown>) => unknown

function readUser({ user }: Record<string, unknown>): string {
  if (typeof user === 'string' && user.trim() !== '' && user.length <= 64) return user.trim()
  throw new PhoneRefusal('Who holds the phone? Send a user of 1 to 64 characters.')
}

/** The same user has the same openid for ever: the database outlives the sandbox. */
const openidOf = (user: string, appId: string) =>
  `o${createHash('sha256').update(`${appId} ${user}`).digest('base64url').replaceAll('-', 'x').slice(0, 27)}`

/** What WeChat does on a phone, for the phone page: by method and path. */
export function phoneActs(platform: PlatformCore): Record<string, PhoneAct> {
  const openidIn = (body: Record<string, unknown>) => openidOf(readUser(body), platform.keys.appId)
  const payerIn = (body: Record<string, unknown>): VirtualPayer => ({
    openid: openidIn(body),
    system: body['system'] === 'ios' ? 'ios' : 'android',
  })
  return {
    'POST /phone/login': (body) => ({ code: platform.loginCode(openidIn(body)) }),
    'POST /phone/messages': (body) => {
      const openid = openidIn(body)
      return platform.messages
        .filter((message) => message.openid === openid)
        .map(({ data, at }) => ({ data, at }))
    },
    'POST /phone/payment-sheet': (body) =>
      paymentSheet(platform, JsapiPaymentParams.parse(body['params']).package),
    'POST /phone/pay': (body) => {
      const params = PaymentParams.parse(body['params'])
      return sheetCloses(
        'signData' in params
          ? platform.requestVirtualPayment(params, payerIn(body))
          : platform.requestPayment(params, { openid: openidIn(body) }),
      )
    },
    'POST /phone/virtual-sheet': (body) => {
      const opened = platform.openSheet(VirtualPaymentParams.parse(body['params']), payerIn(body))
      return {
        outTradeNo: opened.number,
        description: itemName(opened.productId),
        amountFen: opened.amountFen,
      }
    },
    'POST /phone/virtual-pay': (body) =>
      sheetCloses(platform.paySheet(ownNumber(platform, openidIn(body), body))),
    'POST /phone/virtual-payments': (body) => {
      const openid = openidIn(body)
      return [...platform.virtual.orders.values()]
        .filter(({ payerOpenid, paidAt }) => payerOpenid === openid && paidAt !== null)
        .map(({ number, productId, amountFen, byApple, status, leftFen }) => ({
          ...{ number, description: itemName(productId), amountFen, byApple, status, leftFen },
        }))
    },
  }
}

/** Answers when the sheet closes: the money is there, whatever becomes of the notification. */
async function sheetCloses(paying: Promise<Delivery[]>) {
  await Promise.race([paying, wait(sheetClosesAfterMs)])
  paying.catch(() => undefined)
  return { paid: true }
}

function paymentSheet(platform: PlatformCore, prepayPackage: string) {
  const prepayId = prepayPackage.replace(/^prepay_id=/, '')
  const order = [...platform.orders.values()].find(({ prepayIds }) =>
    prepayIds.some(({ id }) => id === prepayId),
  )
  if (order === undefined) throw new PhoneRefusal('There is no such prepay_id.')
  return { outTradeNo: order.outTradeNo, description: order.description, amountFen: order.amountFen }
}

/** The platform keeps ids and prices of items only: one that a sandbox begins with is called as its plan. */
const itemName = (id: string) => defaultPlans.find(({ code }) => code === id)?.name ?? id

/** Whose sheet it is pays it. */
function ownNumber({ virtual }: PlatformCore, openid: string, { number }: Record<string, unknown>): string {
  const order = typeof number === 'string' ? virtual.orders.get(number) : undefined
  if (order?.payerOpenid !== openid) throw new PhoneRefusal('This user has no such number.')
  return order.number
}
