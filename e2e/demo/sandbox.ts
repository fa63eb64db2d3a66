import type { PaymentParams } from '@meridian/contracts'
import type { FaultRule } from '@meridian/payments/testing'
import { z } from 'zod'

/** Nothing is played but at a sandbox that runs, and whose clock can be moved. */
export class NoSandbox extends Error {}

const Clock = z.object({ now: z.coerce.date(), movable: z.boolean() })
const Ready = z.object({ platform: z.string() })
const Rules = z.array(z.custom<FaultRule>((rule) => typeof rule === 'object' && rule !== null))

/** Longer than an order is open, shorter than what counts as forgotten. */
const sheetHours = 0.75

/** A month's jobs of one day may take a while on a busy machine. */
const patienceMs = 120_000

/** A running sandbox over HTTP: the calls of the phone page, and the switches of its platform. */
export type Sandbox = ReturnType<typeof openSandbox>

function openSandbox(url: string) {
  async function call(path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${url}${path}`, {
      ...(body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
      signal: AbortSignal.timeout(patienceMs),
    })
    if (!response.ok) throw new Error(`The sandbox refuses ${path}: ${await response.text()}`)
    return response.json()
  }
  const now = async () => Clock.parse(await call('/phone/clock')).now
  return {
    url,
    now,
    movable: async () => Clock.parse(await call('/phone/clock')).movable,
    /**
     * Goes to the next day; where orders were left unpaid, past their end first: jobs that look after them must not find
     * them overdue by a day.
     */
    nextDay: async ({ leftUnpaid }: { leftUnpaid: boolean }) => {
      if (leftUnpaid) await call('/phone/clock', { hours: sheetHours })
      const hours = leftUnpaid ? 24 - sheetHours : 24
      return Clock.parse(await call('/phone/clock', { hours })).now
    },
    loginCode: async (user: string) =>
      z.object({ code: z.string() }).parse(await call('/phone/login', { user })).code,
    pay: (user: string, params: PaymentParams, system: 'android' | 'ios' = 'android') =>
      call('/phone/pay', { user, params, system }),
    /** Takes the money for an order whose time is over, as it may happen. */
    takeLate: (outTradeNo: string) => call('/sandbox/pay', { outTradeNo, late: true }),
    faults: async () => Rules.parse(await call('/sandbox/weather')),
    setFaults: (rules: readonly object[]) => call('/sandbox/weather', [...rules]),
  }
}

/** @throws NoSandbox with what is wrong, where none runs, its clock stands, or the API works with another platform */
export async function findSandbox({ sandboxUrl, apiUrl }: { sandboxUrl: string; apiUrl: string }) {
  const sandbox = openSandbox(sandboxUrl)
  const movable = await sandbox.movable().catch(() => null)
  if (movable === null)
    throw new NoSandbox(`No sandbox runs at ${sandboxUrl}. Start everything with npm start first.`)
  if (!movable) throw new NoSandbox(`The clock of the sandbox at ${sandboxUrl} cannot be moved.`)
  const ready = await fetch(`${apiUrl}/readyz`)
    .then((response) => response.json())
    .catch(() => null)
  const { data } = Ready.safeParse(ready)
  if (!data) throw new NoSandbox(`No API answers at ${apiUrl}. Start everything with npm start first.`)
  if (data.platform !== 'sandbox')
    throw new NoSandbox(`The API at ${apiUrl} does not work with a sandbox: nothing is played there.`)
  return sandbox
}
