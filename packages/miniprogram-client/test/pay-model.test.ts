import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createClient,
  isProblem,
  type MeridianClient,
  type Outcome,
  type PaymentChannel,
} from '../src/index.ts'
import { type Fate, playShop, type Sheet, type Shop, type ShopOrder } from './play-shop.ts'

const acts = [
  'pay',
  'pay',
  'pay',
  'pay both at once',
  'resume',
  'restart',
  'change the price',
  'run out of time',
  'sweep',
  'cancel',
  'pay what was left open',
  'log out and in',
  'erase the account',
] as const

const Step = fc.record({
  act: fc.constantFrom(...acts),
  plan: fc.constantFrom('monthly', 'yearly'),
  /** Whether the price is the one that was read at the beginning. */
  oldPrice: fc.boolean(),
  platformUp: fc.boolean(),
  notified: fc.boolean(),
  fates: fc.array(fc.constantFrom<Fate>('arrives', 'arrives', 'unsent', 'unanswered'), { maxLength: 16 }),
  /** Of virtual payment only. */
  refusals: fc.array(fc.constantFrom(-15002, -15003, -15005, -15013, -15020), { maxLength: 2 }),
  sheet: fc.record<Sheet>({
    pays: fc.boolean(),
    says: fc.constantFrom('paid', 'cancelled', 'unclear', null),
  }),
})
type Step = typeof Step extends fc.Arbitrary<infer S> ? S : never

/** The user: what they were charged for and have not been told of, and whatever they are told, compared with it. */
function openUser(shop: Shop) {
  const untold = new Set<ShopOrder>()
  shop.onCharge = (order) => {
    expect([...untold], 'charged for a second order before the first was told').toEqual([])
    untold.add(order)
  }
  const hear = (outcome: Outcome | null) => {
    if (outcome === null) return expect([...untold], 'nothing is said to be open').toEqual([])
    const outTradeNo = outcome.kind === 'paid' ? outcome.order.out_trade_no : outcome.outTradeNo
    const order = shop.orders.find((one) => one.outTradeNo === outTradeNo)
    if (outcome.kind === 'pending') return
    expect(order?.charged, `${outcome.kind} is told of ${outTradeNo}`).toBe(outcome.kind === 'paid')
    if (order) untold.delete(order)
  }
  return { untold, hear }
}

/** Nothing here takes time: what is still awaited when all is done waits for a sheet that never answers. */
const orNever = <T>(work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work, new Promise<undefined>((resolve) => setImmediate(resolve, undefined))])

async function live(steps: readonly Step[], channel: PaymentChannel = 'jsapi'): Promise<void> {
  const shop = playShop()
  shop.channel = channel
  const user = openUser(shop)
  const oldPrices = { ...shop.prices }
  const start = (): MeridianClient => createClient({ baseUrl: 'http://shop', phone: shop.phone() })
  let client = start()
  const restart = () => {
    client = start()
  }

  const tell = async (work: Promise<Outcome | null>, alone = true) => {
    const outcome = await orNever(
      work.catch((error: unknown) => {
        if (!isProblem(error)) throw error
        if (alone) expect([...user.untold], `${error.code} is thrown after money moved`).toEqual([])
        return undefined
      }),
    )
    if (outcome === undefined) restart()
    else user.hear(outcome)
  }
  const pay = (plan: string, prices: Record<string, number>) =>
    client.pay({ code: plan, price_fen: prices[plan] ?? 0 })
  const unpaid = () => shop.orders.filter(({ status }) => status === 'created' || status === 'prepay')

  async function take({ act, plan, oldPrice, ...faults }: Step): Promise<void> {
    Object.assign(shop, { ...faults, fates: [...faults.fates], refusals: [...faults.refusals] })
    const prices = oldPrice ? oldPrices : shop.prices
    if (act === 'pay') await tell(pay(plan, prices))
    if (act === 'pay both at once')
      await Promise.all([tell(pay('monthly', prices), false), tell(pay('yearly', prices), false)])
    if (act === 'resume') await tell(client.resume())
    if (act === 'restart') restart()
    if (act === 'change the price') shop.prices[plan] = (shop.prices[plan] ?? 0) + 1000
    if (act === 'run out of time') for (const order of shop.orders) order.overdue = true
    if (act === 'sweep' && faults.platformUp) for (const order of unpaid()) shop.settle(order, true)
    const [open] = unpaid()
    if (act === 'cancel' && open) await client.orders.cancel(open.outTradeNo).catch(() => null)
    if (act === 'pay what was left open' && shop.leftOpen) shop.charge(shop.leftOpen)
    if (act === 'log out and in') await client.logOut().catch(() => null)
    if (act === 'erase the account') await erase()
    shop.fates = []
    shop.refusals = []
    if (act === 'log out and in' || act === 'erase the account') await client.logIn()
  }
  /** Whoever erases the account has settled everything, and asks about nothing any more. */
  async function erase(): Promise<void> {
    const { user: before } = shop
    await client.account.erase().catch(() => null)
    if (shop.user !== before) user.untold.clear()
  }

  for (const step of steps) await take(step)
  Object.assign(shop, { platformUp: true, notified: true, sheet: { pays: true, says: 'paid' } })
  await tell(client.resume())
  expect([...user.untold], 'is told in the end').toEqual([])
  expect(await pay('monthly', shop.prices)).toMatchObject({ kind: 'paid' })
}

test('who taps another plan while the first is being paid is told of the first and not asked to pay again', async () => {
  const calm = { plan: 'monthly', oldPrice: false, platformUp: true, notified: false } as const
  const unpaid: Sheet = { pays: false, says: 'paid' }
  const paid: Sheet = { pays: true, says: 'cancelled' }
  await live([
    { ...calm, refusals: [], act: 'pay', fates: [], sheet: unpaid },
    { ...calm, refusals: [], act: 'cancel', fates: [], sheet: unpaid },
    // The second tap hears of the closed order only after the first has been paid.
    {
      ...calm,
      refusals: [],
      act: 'pay both at once',
      fates: ['arrives', 'unanswered', 'unsent'],
      sheet: paid,
    },
  ])
})

test('a sheet that does not open leaves the payment open that an earlier sheet may still bring', async () => {
  const calm = { plan: 'monthly', oldPrice: false, notified: false } as const
  const unpaid: Sheet = { pays: false, says: 'paid' }
  await live(
    [
      { ...calm, act: 'pay', platformUp: true, refusals: [], fates: [], sheet: unpaid },
      { ...calm, act: 'pay', platformUp: true, refusals: [-15013], fates: [], sheet: unpaid },
      { ...calm, act: 'pay what was left open', platformUp: false, refusals: [], fates: [], sheet: unpaid },
    ],
    'virtual',
  )
})

test.each(['jsapi', 'virtual'] as const)(
  'whatever happens nobody pays twice by %s, nobody is told that a payment failed that succeeded, and everybody can pay in the end',
  async (channel) => {
    const property = fc.asyncProperty(fc.array(Step, { maxLength: 14 }), (steps) => live(steps, channel))
    const numRuns = Number(process.env['MERIDIAN_CLIENT_LIVES'] ?? 1000)
    await fc.assert(property, { numRuns })
  },
)
