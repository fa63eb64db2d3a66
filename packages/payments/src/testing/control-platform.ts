import { z } from 'zod'
import { parseJson } from '../read-fields.ts'
import { readFaultRules } from './fault-injection.ts'
import { PhoneError } from './pay-order.ts'
import type { PlatformCore } from './platform-types.ts'
import { type ControlAct, virtualControls, withoutAbsent } from './virtual-controls.ts'
import { VirtualPhoneError } from './virtual-orders.ts'

const Params = z.object({
  timeStamp: z.string(),
  nonceStr: z.string(),
  package: z.string(),
  signType: z.literal('RSA'),
  paySign: z.string(),
})

const changes = {
  late: z.boolean().optional(),
  again: z.boolean().optional(),
  silent: z.boolean().optional(),
  once: z.boolean().optional(),
}

const Difference = z.object({
  kind: z.enum(['missing', 'twice', 'wrong_amount']),
  outTradeNo: z.string().optional(),
  outRefundNo: z.string().optional(),
  byFen: z.number().int().optional(),
})

const Bodies = {
  login: z.object({ openid: z.string().min(1) }),
  requestPayment: z.object({ params: Params, openid: z.string(), ...changes }),
  pay: z.object({ outTradeNo: z.string(), ...changes }),
  order: z.object({ outTradeNo: z.string() }),
  refund: z.object({ outRefundNo: z.string(), status: z.enum(['SUCCESS', 'CLOSED', 'ABNORMAL']).optional() }),
  bills: z.object({ atOnce: z.boolean().optional(), differences: z.array(Difference).optional() }),
  keys: z.object({
    mode: z.enum(['public_key', 'certificate', 'mixed']).optional(),
    ramp: z.union([z.number().min(0).max(1), z.literal('seven_days')]).optional(),
    rotate: z.boolean().optional(),
    scheduleSpeed: z.number().positive().optional(),
  }),
}

export type ControlAnswer = { status: number; body: unknown }

/** The switches under `/sandbox/`, as data: path and what it does. JSON in, JSON out, unsigned. */
export const controls = (core: PlatformCore): Readonly<Record<string, ControlAct>> => ({
  'GET /sandbox/orders': () => [...core.orders.values()],
  'GET /sandbox/refunds': () => [...core.refunds.values()],
  'GET /sandbox/requests': () => core.requests,
  'GET /sandbox/deliveries': () => core.deliveries,
  'GET /sandbox/weather': () => core.faults.rules,
  'POST /sandbox/weather': (body) => {
    const rules = readFaultRules(body)
    if (rules === null) throw new z.ZodError([])
    core.faults.set(rules)
    return core.faults.rules
  },
  'POST /sandbox/login-code': (body) => ({ code: core.loginCode(Bodies.login.parse(body).openid) }),
  'POST /sandbox/request-payment': (body) => {
    const { params, openid, ...rest } = Bodies.requestPayment.parse(body)
    return core.requestPayment(params, { openid, ...withoutAbsent(rest) })
  },
  'POST /sandbox/pay': (body) => {
    const { outTradeNo, ...rest } = Bodies.pay.parse(body)
    return core.pay(outTradeNo, withoutAbsent(rest))
  },
  'POST /sandbox/resend': (body) => core.resend(Bodies.order.parse(body).outTradeNo),
  'POST /sandbox/settle-refund': (body) => {
    const { outRefundNo, status } = Bodies.refund.parse(body)
    return core.settleRefund(outRefundNo, status)
  },
  'POST /sandbox/bills': (body) => {
    const { atOnce, differences } = Bodies.bills.parse(body)
    if (atOnce !== undefined) core.setBillsAtOnce(atOnce)
    if (differences) core.plantDifferences(differences)
    return {}
  },
  'GET /sandbox/messages': () => core.messages,
  'GET /sandbox/keys': () => core.keysInUse(),
  'POST /sandbox/keys': (body) => {
    const { mode, ramp, rotate, scheduleSpeed } = Bodies.keys.parse(body)
    if (mode) core.useKeyMode(mode)
    if (ramp === 'seven_days') core.startRamp()
    else if (ramp !== undefined) core.setRamp(ramp)
    if (rotate) core.rotateCertificate()
    if (scheduleSpeed !== undefined) core.setScheduleSpeed(scheduleSpeed)
    return core.keysInUse()
  },
  ...virtualControls(core),
})

/** Works a switch; 400 with words where the body does not fit or the phone refuses. */
export async function control(core: PlatformCore, route: string, text: string): Promise<ControlAnswer> {
  const act = controls(core)[route]
  if (!act) return { status: 404, body: { message: 'no such switch' } }
  try {
    return { status: 200, body: (await act(text === '' ? {} : parseJson(Buffer.from(text)))) ?? {} }
  } catch (error) {
    if (error instanceof z.ZodError) return { status: 400, body: { message: 'malformed body' } }
    if (error instanceof VirtualPhoneError)
      return { status: 400, body: { message: error.message, errCode: error.errCode } }
    if (error instanceof PhoneError || error instanceof RangeError)
      return { status: 400, body: { message: error.message } }
    throw error
  }
}
