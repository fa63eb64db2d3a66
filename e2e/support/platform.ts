import type { FaultRule } from '@meridian/payments/testing'
import { world } from './world.ts'

/** The payment platform as an actor: it can be told to misbehave, and asked what it has sent. */
export const platform = {
  losesNotifications: () => setFaults([{ kind: 'drop', at: 'notification' }]),
  /** Says of an order that more was paid than it costs. */
  overstates: (outTradeNo: string) => setFaults([{ kind: 'wrong_amount', at: 'notification', outTradeNo }]),
  /** Refuses every refund, whatever it is of. */
  refusesRefunds: () => setFaults([{ kind: 'error_before', at: 'refund', status: 404 }]),
  /** Takes the money for an order that is paid already. */
  takesTwice: (outTradeNo: string) => post('/sandbox/pay', { outTradeNo, again: true }),
  behaves: () => setFaults([]),
  /** Takes the money for an order whose time is over, as it may happen. */
  takesLate: (outTradeNo: string) => post('/sandbox/pay', { outTradeNo, late: true }),
}

export type Platform = typeof platform

const setFaults = (rules: FaultRule[]) => post('/sandbox/weather', rules)

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(`${world().sandboxUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`The sandbox refuses ${path}: ${await response.text()}`)
}
