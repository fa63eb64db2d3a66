import type * as api from '@meridian/contracts'
import { expect, test } from 'vitest'
import type * as client from '../src/index.ts'
import { createClient, isProblem } from '../src/index.ts'
import { subscription } from './full-answers.ts'
import { plainPhone } from './plain-phone.ts'

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
type Flat<Value> = Value extends unknown[] | string | number | boolean | null | undefined
  ? Value
  : { [Name in keyof Value]: Value[Name] }
type SameShape<One, Other> = Same<Flat<Required<One>>, Flat<Required<Other>>>

/** The types of the client, which stand alone, are those of the API: this does not compile otherwise. */
export const sameAsTheApi: {
  challenge: SameShape<client.Challenge, api.Challenge>
  device: SameShape<client.Device, api.Device>
  me: SameShape<client.Me, api.Me>
  order: SameShape<client.Order, api.Order>
  paymentParams: SameShape<client.PaymentParams, api.PaymentParams>
  permission: SameShape<client.MessagePermission, api.MessagePermissions['items'][number]>
  plan: SameShape<client.Plan, api.Plan>
  subscription: SameShape<client.Subscription, api.Subscription>
  problemCode: Same<client.ProblemCode, api.ProblemCode>
} = {
  challenge: true,
  device: true,
  me: true,
  order: true,
  paymentParams: true,
  permission: true,
  plan: true,
  subscription: true,
  problemCode: true,
}

/** Where the API knows more of a shape than the client needs, each is still what the other takes. */
export const reportOfTheApi = (report: api.Report): client.Report => report
export const configOfTheApi = (config: api.DiagnosisConfig): client.DiagnosisConfig => config
export const bindingForTheApi = (request: client.BindRequest): api.BindRequest => request
export const reportForTheApi = (request: client.ReportRequest): api.ReportRequest => request

const answering = (body: unknown) => {
  const kept = new Map([['meridian.tokens', '{"access_token":"a","refresh_token":"r"}']])
  const phone = plainPhone(kept, async () => ({ status: 200, headers: {}, body }))
  return createClient({ baseUrl: 'http://api', phone })
}

test.each([
  ['the sign-in page of a network', '<html>Please sign in</html>'],
  ['nothing', null],
  ['half of it', { status: 'active' }],
  ['a member of another kind', { ...subscription(), remaining_days: '30' }],
])('an answer that is %s is a problem, never a subscription', async (_, body) => {
  const thrown = await answering(body)
    .subscription()
    .catch((error: unknown) => error)
  expect(isProblem(thrown, 'unreachable')).toBe(true)
})

test('what a newer API says beyond what the client knows is handed on', async () => {
  const newer = { ...subscription(), gift: true }
  expect(await answering(newer).subscription()).toEqual(newer)
})

test('plans that are none are the built-in ones', async () => {
  expect((await answering({ plans: 'soon' }).plans()).builtIn).toBe(true)
})
