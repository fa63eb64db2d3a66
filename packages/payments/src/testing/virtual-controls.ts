import { z } from 'zod'
import type { PlatformCore } from './platform-types.ts'
import { pushEventKinds } from './push-events.ts'

/** Works one switch: JSON in, JSON out. */
export type ControlAct = (body: unknown) => Promise<unknown> | unknown

export const withoutAbsent = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined))

const Params = z.object({
  mode: z.literal('short_series_goods'),
  signData: z.string(),
  paySig: z.string(),
  signature: z.string(),
})
const payer = {
  openid: z.string().min(1),
  system: z.enum(['ios', 'android']),
  release: z.boolean().optional(),
}
const telling = { silent: z.boolean().optional(), once: z.boolean().optional() }

const Bodies = {
  open: z.object({ params: Params, ...payer }),
  request: z.object({ params: Params, ...payer, ...telling }),
  pay: z.object({ number: z.string(), ...telling }),
  number: z.object({ number: z.string() }),
  inquiry: z.object({ number: z.string(), reason: z.string().optional() }),
  refund: z.object({ number: z.string(), end: z.enum(['SUCCESS', 'FAILED']).optional() }),
  item: z.object({
    id: z.string().regex(/^[A-Za-z0-9_-]{1,20}$/),
    priceFen: z.number().int().positive(),
    published: z.enum(['long_ago', 'now', 'never']).optional(),
  }),
  event: z.union([
    z.object({ kind: z.enum(pushEventKinds), number: z.string().optional() }),
    z.object({ event: z.record(z.string(), z.unknown()) }),
  ]),
  push: z.object({ url: z.url(), format: z.enum(['json', 'xml']).optional() }).nullable(),
}

/** The switches of virtual payment under `/sandbox/virtual/`, as data: path and what it does. */
export const virtualControls = (core: PlatformCore): Readonly<Record<string, ControlAct>> => ({
  'GET /sandbox/virtual/orders': () => [...core.virtual.orders.values()],
  'GET /sandbox/virtual/refunds': () => [...core.virtual.refunds.values()],
  'GET /sandbox/virtual/items': () => [...core.virtual.items.values()],
  'GET /sandbox/virtual/session-keys': () => [...core.virtual.sessionKeys.values()],
  'POST /sandbox/virtual/open': (body) => {
    const { params, openid, system, release } = Bodies.open.parse(body)
    return core.openSheet(params, { openid, system, ...(release !== undefined && { release }) })
  },
  'POST /sandbox/virtual/pay': (body) => {
    const { number, ...rest } = Bodies.pay.parse(body)
    return core.paySheet(number, withoutAbsent(rest))
  },
  'POST /sandbox/virtual/put-away': (body) => core.putSheetAway(Bodies.number.parse(body).number),
  'POST /sandbox/virtual/request-payment': (body) => {
    const { params, openid, system, ...rest } = Bodies.request.parse(body)
    return core.requestVirtualPayment(params, { openid, system, ...withoutAbsent(rest) })
  },
  'POST /sandbox/virtual/apple-refund': (body) => core.refundByApple(Bodies.number.parse(body).number),
  'POST /sandbox/virtual/apple-inquiry': async (body) => {
    const { number, reason } = Bodies.inquiry.parse(body)
    return { opinion: await core.askOpinion(number, reason) }
  },
  'POST /sandbox/virtual/end-refund': (body) => {
    const { number, end } = Bodies.refund.parse(body)
    return core.endVirtualRefund(number, end)
  },
  'POST /sandbox/virtual/push-event': (body) => {
    const asked = Bodies.event.parse(body)
    return 'event' in asked ? core.pushEvent(asked.event) : core.pushEventOf(asked.kind, asked.number)
  },
  'POST /sandbox/virtual/push-again': (body) => core.pushAgain(Bodies.number.parse(body).number),
  'POST /sandbox/virtual/item': (body) => {
    const { id, priceFen, published } = Bodies.item.parse(body)
    core.plantItem({ id, priceFen, ...(published !== undefined && { published }) })
    return core.virtual.items.get(id)
  },
  'POST /sandbox/virtual/push-address': (body) => {
    const push = Bodies.push.parse(body)
    core.usePush(push && { url: push.url, ...(push.format !== undefined && { format: push.format }) })
  },
})
