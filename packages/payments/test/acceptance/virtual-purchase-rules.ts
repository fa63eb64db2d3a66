import { createHmac } from 'node:crypto'
import { inspect } from 'node:util'
import { PaymentsError } from '../../src/index.ts'
import { shippedSources } from '../world/orders-in-this-world.ts'
import { derived, mustFail, official, verdictsOf } from '../world/virtual-vectors.ts'
import type { VirtualWorld } from '../world/virtual-world.ts'
import { errorOf, everyWordOf, holds, type Rule, refusalOf, rejectionOf } from './rule.ts'

type VirtualRule = Rule<VirtualWorld>

const everything = ['packages/payments/src', 'apps/api/src', 'packages/miniprogram-client/src']
const hmac = (key: string | Uint8Array, text: string) => createHmac('sha256', key).update(text).digest('hex')

export const virtualPurchaseRules: readonly VirtualRule[] = [
  {
    number: 1,
    text: 'signData is serialised once: what is signed, kept and returned is the same text, byte for byte',
    weight: 'fatal',
    source: 'virtual payment §2.3',
    apiAdds: {
      what: 'keeping the text and answering it unchanged',
      provenBy: {
        'doors/virtual-purchase.test.ts': [
          'what is signed is sent as it was signed, by the key of its environment and the session of its buyer',
          'a repeat within ten seconds is the same order and the same answer, and its code is not exchanged',
        ],
      },
    },
    check: async (world) => {
      const params = await world.sign()
      const anew = { ...params, signData: JSON.stringify(JSON.parse(params.signData), null, 1) }
      holds(world.sheetError(anew) === -15007, 'a text written anew was taken')
      holds(world.sheetError(params) === null, 'the signed text is not the one that is returned')
      const writers = everything.flatMap(shippedSources).filter((text) => text.includes('buyQuantity'))
      holds(writers.length === 1, 'not one place writes signData')
    },
  },
  {
    number: 2,
    text: 'paySig is over requestVirtualPayment, pay_sig over /xpay/<name>, by the AppKey of the environment',
    weight: 'fatal',
    source: 'virtual payment §2.3, §3.1, §6.2',
    check: async (world) => {
      const { appKeys } = world.platform.virtual.keys
      for (const env of [0, 1] as const) {
        const seen = world.platform.requests.length
        const own = world.another({ env, appKey: appKeys[env] })
        const by = { loginCode: world.platform.loginCode(world.openid), openid: world.openid }
        const { signData, paySig } = await own.signPayment(world.anAttempt(), by)
        holds(paySig === hmac(appKeys[env], `requestVirtualPayment&${signData}`), 'paySig is another')
        await own.queryAttempt('M01NOBODYKNOWS', world.openid)
        const asked = world.platform.requests.slice(seen).find(({ path }) => path.startsWith('/xpay/'))
        const { pathname, searchParams } = new URL(asked?.path ?? '', 'http://localhost')
        const expected = hmac(appKeys[env], `${pathname}&${asked?.body}`)
        holds(searchParams.get('pay_sig') === expected, 'pay_sig is another')
      }
      const right = [...official, ...derived].map(verdictsOf)
      const signed = mustFail.filter(({ query }) => query === undefined).map(verdictsOf)
      holds(right.length === 26 && right.every((verdicts) => !verdicts.includes(false)), 'a vector fails')
      holds(signed.length > 10 && signed.every((verdicts) => !verdicts.includes(true)), 'a wrong one passes')
    },
  },
  {
    number: 3,
    text: 'the session key is used as text, comes from a login code of the payer, and is kept nowhere',
    weight: 'fatal',
    source: 'virtual payment §2.4',
    apiAdds: {
      what: 'refusing the code of somebody else, and keeping and logging no key',
      provenBy: {
        'doors/virtual-purchase.test.ts': [
          'of somebody else signs nothing, and is no failure of the platform',
        ],
        'journeys/virtual-secrets.test.ts': ['no secret is in any line of the log'],
      },
    },
    check: async (world) => {
      const heard: string[] = []
      const fetch: typeof globalThis.fetch = async (input, init) => {
        const answer = await globalThis.fetch(input, init)
        if (String(input).includes('jscode2session')) heard.push(await answer.clone().text())
        return answer
      }
      const own = world.another({}, { fetch })
      const [attempt, loginCode] = [world.anAttempt(), world.platform.loginCode(world.openid)]
      const params = await own.signPayment(attempt, { loginCode, openid: world.openid })
      const { session_key: key }: { session_key: string } = JSON.parse(heard[0] ?? '')
      holds(params.signature === hmac(key, params.signData), 'not signed by the key as text')
      const code = world.platform.loginCode('oSomebodyElse')
      const refused = await rejectionOf(own.signPayment(attempt, { loginCode: code, openid: world.openid }))
      holds('reason' in refused && refused.reason === 'other_user', 'the code of another was taken')
      const { session_key: others }: { session_key: string } = JSON.parse(heard[1] ?? '')
      const words = `${JSON.stringify(params)}${everyWordOf(refused)}${inspect(own, { depth: null })}`
      holds(![key, others].some((secret) => words.includes(secret)), 'a session key comes out')
    },
  },
  {
    number: 4,
    text: 'AppKeys, token and AES key come from settings alone, and are in no error',
    weight: 'fatal',
    source: 'virtual payment §1.4',
    apiAdds: {
      what: 'a start that half a configuration stops, logs and a console without them',
      provenBy: {
        'doors/virtual-settings.test.ts': [
          'some of the settings of virtual payment stop the start, each missing one named and nothing told of the others',
          '%s as "%s" stops the start with a line that names it and not what it holds',
        ],
        'journeys/virtual-secrets.test.ts': [
          'no secret is in any line of the log',
          'no secret is in any answer of the console, or in what it exports',
        ],
      },
    },
    check: async (world) => {
      const { settings, appSecret, openid, platform } = world
      const misspelt = world.another({ appKey: `${settings.appKey}x` })
      const unsigned = await rejectionOf(misspelt.queryOrder('M01NOBODYKNOWS', openid))
      platform.faults.add({ kind: 'drop', at: 'xpay', times: 4 })
      const unreachable = await rejectionOf(world.virtual.queryOrder('M01NOBODYKNOWS', openid))
      const { url, body } = platform.push({ Event: 'any' })
      const query = Object.fromEntries(new URL(url).searchParams)
      const stranger = world.another({ pushToken: `${settings.pushToken}x` })
      const otherKey = world.another({ pushAesKey: settings.pushAesKey.split('').toReversed().join('') })
      const unread = [stranger, otherKey].map((one) => errorOf(() => one.readPush(query, Buffer.from(body))))
      const words = [unsigned, unreachable, ...unread].map(everyWordOf).join('\n')
      const secrets = [settings.appKey, settings.pushToken, settings.pushAesKey, appSecret]
      holds(!secrets.some((secret) => words.includes(secret)), 'a secret is in an error')
      const texts = everything.flatMap(shippedSources)
      holds(!texts.some((text) => secrets.some((secret) => text.includes(secret))), 'a secret is in the code')
    },
  },
  {
    number: 5,
    text: 'only the setting names the environment that is signed; a push says of which one it is',
    weight: 'fatal',
    source: 'virtual payment §1.4, §4.4',
    apiAdds: {
      what: 'signing 0 unless the setting says 1, and refusing pushes of the other one',
      provenBy: {
        'doors/virtual-settings.test.ts': [
          'the environment is 0 unless its own setting says 1, whatever else is set',
        ],
        'doors/push-door.test.ts': ['of %s never grants, is refused and told'],
      },
    },
    check: async (world) => {
      const { appKeys } = world.platform.virtual.keys
      const inSandbox = world.another({ env: 1, appKey: appKeys[1] })
      const by = () => ({ loginCode: world.platform.loginCode(world.openid), openid: world.openid })
      const signed = await inSandbox.signPayment(world.anAttempt(), by())
      holds(world.sheetError(signed) === -15011, 'a release opens the sandbox')
      const { signData } = await world.sign()
      holds(JSON.parse(signData).env === world.settings.env, 'another environment is signed')
      const before = world.pushed.length
      await world.buy({ fault: 'wrong_env' })
      const push = world.pushed[before]
      holds(push?.kind === 'payment' && push.payment.goods?.env === 1, 'the environment of a push is lost')
    },
  },
  {
    number: 6,
    text: 'price and item are those of the order; one is bought, at no other price',
    weight: 'fatal',
    source: 'virtual payment §2.2',
    apiAdds: {
      what: 'taking them from what the order kept, and nothing of it from the client',
      provenBy: {
        'doors/virtual-purchase.test.ts': [
          'an order keeps item and price of its making, and nothing in the request names others',
        ],
      },
    },
    check: async (world) => {
      const { signData } = await world.sign()
      const { offerId, outTradeNo, attach, ...rest } = JSON.parse(signData)
      const expected = { env: 0, currencyType: 'CNY', productId: 'yearly', goodsPrice: 26_800 }
      const keys = JSON.stringify({ buyQuantity: 1, ...expected })
      holds(JSON.stringify(rest) === keys, 'something else is signed')
      holds(offerId === world.settings.offerId && attach === outTradeNo, 'offer or attachment is another')
      for (const amountFen of [0, -1, 0.5, Number.NaN, 2 ** 60]) {
        const refusal = await rejectionOf(world.sign({ amountFen }))
        holds(refusal instanceof PaymentsError && refusal.reason === 'invalid_request', 'a strange price')
      }
    },
  },
  {
    number: 7,
    text: 'a number is signed once; every further signing has another; two quick taps make one order',
    weight: 'fatal',
    source: 'virtual payment §2.2, §7.1',
    apiAdds: {
      what: 'the numbers, each stored before it is signed',
      provenBy: {
        'doors/virtual-purchase.test.ts': [
          'two taps at once make one order and one number',
          'a number that a sheet was opened for is not signed again: the next call signs another of the same order',
          'after ten seconds another number is signed, whether or not the sheet was opened',
          'a used number ends the attempt: the next call signs another at once',
        ],
      },
    },
    check: async (world) => {
      const [one, other] = [await world.sign({ attemptNo: 'M01ONCE0000' }), await world.sign()]
      holds(world.sheetError(other) === null, 'another number was refused')
      const again = await world.sign({ attemptNo: 'M01ONCE0000' })
      holds(one.signData === again.signData && world.sheetError(again) === null, 'it makes up numbers itself')
      holds(
        world.sheetError(await world.sign({ attemptNo: 'M01ONCE0000' })) === -15002,
        'a number sold twice',
      )
      for (const attemptNo of ['_23456789', 'short', 'x'.repeat(33), 'M01 SPACE0'])
        holds(
          (await refusalOf(world.sign({ attemptNo })))['reason'] === 'invalid_request',
          'a strange number',
        )
    },
  },
]
