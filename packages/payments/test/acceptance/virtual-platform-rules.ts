import type { VirtualWorld } from '../world/virtual-world.ts'
import { holds, type Rule, refusalOf } from './rule.ts'

const ask = ({ virtual, openid }: VirtualWorld, number: string) => virtual.queryAttempt(number, openid)
const reason = async (promise: Promise<unknown>) => (await refusalOf(promise))['reason']

export const virtualPlatformRules: readonly Rule<VirtualWorld>[] = [
  {
    number: 8,
    text: 'only a verified push or an answer of query_order confirms a payment',
    weight: 'fatal',
    source: 'virtual payment §2.5, §5',
    apiAdds: {
      what: 'a question wherever the phone says that it paid',
      provenBy: {
        'journeys/virtual-sweeps.test.ts': [
          'the word of the phone grants nothing: it is a question, and the answer decides',
          'is made up for by the sync of the phone, and the goods are confirmed there',
        ],
      },
    },
    check: async (world) => {
      const { signData, ...params } = await world.sign()
      const { outTradeNo: number }: { outTradeNo: string } = JSON.parse(signData)
      const ask = () => world.virtual.queryAttempt(number, world.openid)
      world.platform.openSheet({ signData, ...params }, { openid: world.openid, system: 'android' })
      holds((await ask()).state === 'not_paid', 'an open sheet is a payment')
      await world.platform.paySheet(number)
      const answer = await ask()
      holds(answer.state === 'paid' && answer.payment.source === 'query', 'not confirmed by the answer')
      const push = world.pushed.at(-1)
      holds(push?.kind === 'payment' && push.payment.source === 'notification', 'not confirmed by the push')
    },
  },
  {
    number: 16,
    text: 'a number the platform does not know is unknown; every other error is a failure, and none says "not paid"',
    weight: 'fatal',
    source: 'virtual payment §3.2, §3.11',
    apiAdds: {
      what: 'an order that such an answer leaves as it was',
      provenBy: {
        'journeys/virtual-sweeps.test.ts': [
          'that fails leaves the order as it was: no error is ever "not paid"',
          'that fails for one attempt and calls another paid has said paid',
        ],
      },
    },
    check: async (world) => {
      holds((await ask(world, 'M01NOBODYKNOWS')).state === 'no_such_order', 'unknown is an error')
      const number = await world.buy()
      const { appKeys } = world.platform.virtual.keys
      const others = [world.another({ appKey: 'another' }), world.another({ env: 1, appKey: appKeys[1] })]
      holds(
        (await reason(others[0]?.queryAttempt(number, world.openid) ?? ask(world, ''))) === 'misconfigured',
        'a signature',
      )
      const elsewhere = await others[1]?.queryAttempt(number, world.openid)
      holds(elsewhere?.state === 'no_such_order', 'the other environment knows it')
      holds(
        (await reason(world.virtual.queryAttempt(number, 'oOther'))) === 'invalid_request',
        'another payer',
      )
      for (const kind of ['error_before', 'html', 'drop', 'rate_limited'] as const) {
        world.platform.faults.set([{ kind, at: 'xpay' }])
        await refusalOf(ask(world, number))
      }
    },
  },
  {
    number: 18,
    text: 'a payment that no push brought is found by asking, and can be told as delivered',
    weight: 'must',
    source: 'virtual payment §3.5, §5',
    apiAdds: {
      what: 'the schedules of both, until the platform counts it as delivered',
      provenBy: {
        'journeys/virtual-sweeps.test.ts': [
          'is made up for by the sweep, within seconds of the signature',
          'is told as delivered after the sweep, again and again until the platform says so',
        ],
        'journeys/virtual-delivery.test.ts': [
          'a platform that fails loses nothing: it is asked again, and after an hour somebody is told',
        ],
      },
    },
    check: async (world) => {
      world.platform.faults.add({ kind: 'drop', at: 'push' })
      const number = await world.buy()
      const standing = async () => (await world.virtual.queryOrder(number, world.openid)).state
      holds((await standing()) === 'paid', 'not found paid')
      await world.virtual.provideGoods(number)
      await world.virtual.provideGoods(number)
      holds((await standing()) === 'delivered', 'not delivered')
    },
  },
  {
    number: 23,
    text: 'below a yuan an iPhone buys nothing; an item that is not published, or at another price, sells nowhere',
    weight: 'must',
    source: 'virtual payment §1.3, §2.5',
    apiAdds: {
      what: 'not offering such plans, and an alert where prices have drifted',
      provenBy: {
        'doors/virtual-purchase.test.ts': [
          'is told with the plans, and sells only what has an item, on iPhones from a yuan on',
          'a price that differs is an alert about the plan, once',
        ],
        'doors/virtual-console.test.ts': [
          'show a price that has drifted, and an item that the platform does not list',
        ],
      },
    },
    check: async (world) => {
      world.platform.plantItem({ id: 'cheap', priceFen: 99 })
      const cheap = () => world.sign({ productId: 'cheap', amountFen: 99 })
      holds(world.sheetError(await cheap(), 'ios') === -15001, 'an iPhone pays less than a yuan')
      holds(world.sheetError(await cheap()) === null, 'an Android pays no less than a yuan')
      holds(world.sheetError(await world.sign({ productId: 'none' })) === -15010, 'an unpublished item sells')
      holds(world.sheetError(await world.sign({ amountFen: 2_680 })) === -15013, 'another price is taken')
      const { items } = await world.virtual.publishedItems()
      holds(
        items.some(({ id, state }) => id === 'cheap' && state === 'done'),
        'published items are not told',
      )
    },
  },
  {
    number: 24,
    text: 'the channel of a platform is a setting of the server; who cannot pay by it is refused, and not sold to by the other',
    weight: 'must',
    source: 'virtual payment §7.1',
    apiAdds: {
      what: 'the setting, its refusals, and orders that keep their channel when it changes',
      provenBy: {
        'doors/virtual-purchase.test.ts': [
          'refuses a client that cannot pay by the channel, and never takes the other',
          'of before keeps an order: its key is asked about, closed, and answered so',
          'that is switched while a sheet is open loses no payment',
        ],
      },
    },
    check: async (world) => {
      const params = await world.sign()
      const isVirtual = params.mode === 'short_series_goods' && !('package' in params)
      holds(isVirtual, 'the answer does not say by which channel it is paid')
      const orders = world.platform.orders.size
      holds(world.sheetError(params) === null, 'the sheet refused it')
      holds(world.platform.orders.size === orders, 'the other channel has an order of it')
    },
  },
  {
    number: 25,
    text: 'one access token serves all processes; an expired one is renewed once, body and signature unchanged',
    weight: 'must',
    source: 'virtual payment §3.1',
    apiAdds: {
      what: 'a sync that meets an expired token and is answered like every other',
      provenBy: {
        'journeys/virtual-sweeps.test.ts': [
          'whose access token has expired is asked again, once, and has answered',
        ],
      },
    },
    check: async (world) => {
      const number = await world.buy()
      const callsSince = (from: number) =>
        world.platform.requests.slice(from).map(({ path, body }) => {
          const { pathname, searchParams } = new URL(path, 'http://localhost')
          return {
            pathname,
            body,
            paySig: searchParams.get('pay_sig'),
            token: searchParams.get('access_token'),
          }
        })
      const other = world.another()
      await other.queryAttempt(number, world.openid)
      const before = world.platform.requests.length
      await Promise.all([ask(world, number), other.queryAttempt(number, world.openid)])
      const questions = callsSince(before).filter(({ pathname }) => pathname === '/xpay/query_order')
      holds(new Set(questions.map(({ token }) => token)).size === 1, 'each process has its own token')
      const from = world.platform.requests.length
      world.platform.faults.add({ kind: 'token_expired', at: 'xpay', times: 1 })
      holds((await ask(world, number)).state === 'paid', 'an expired token ended it')
      const [first, renewal, second, ...more] = callsSince(from)
      holds(renewal?.pathname === '/cgi-bin/stable_token' && more.length === 0, 'not renewed once')
      holds(first?.body === second?.body && first?.paySig === second?.paySig, 'signed anew')
      holds(first?.token !== second?.token, 'repeated with the expired token')
      const never = world.platform.requests.length
      world.platform.faults.add({ kind: 'token_expired', at: 'xpay' })
      holds((await reason(ask(world, number))) !== undefined, 'not refused')
      const tries = callsSince(never).filter(({ pathname }) => pathname === '/xpay/query_order')
      holds(tries.length === 2, 'not repeated once')
    },
  },
]
