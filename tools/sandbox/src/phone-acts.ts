import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { PaymentParams } from '@meridian/contracts'
import type { PlatformCore } from '@meridian/payments/testing'

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
  const { appId } = platform.keys
  return {
    'POST /phone/login': (body) => ({
      code: platform.loginCode(openidOf(readUser(body), appId)),
    }),
    'POST /phone/messages': (body) => {
      const openid = openidOf(readUser(body), appId)
      return platform.messages
        .filter((message) => message.openid === openid)
        .map(({ data, at }) => ({ data, at }))
    },
    'POST /phone/payment-sheet': (body) =>
      paymentSheet(platform, PaymentParams.parse(body['params']).package),
    'POST /phone/pay': async (body) => {
      const params = PaymentParams.parse(body['params'])
      const paying = platform.requestPayment(params, { openid: openidOf(readUser(body), appId) })
      await Promise.race([paying, wait(sheetClosesAfterMs)])
      paying.catch(() => undefined)
      return { paid: true }
    },
  }
}

function paymentSheet(platform: PlatformCore, prepayPackage: string) {
  const prepayId = prepayPackage.replace(/^prepay_id=/, '')
  const order = [...platform.orders.values()].find(({ prepayIds }) =>
    prepayIds.some(({ id }) => id === prepayId),
  )
  if (order === undefined) throw new PhoneRefusal('There is no such prepay_id.')
  return { outTradeNo: order.outTradeNo, description: order.description, amountFen: order.amountFen }
}
