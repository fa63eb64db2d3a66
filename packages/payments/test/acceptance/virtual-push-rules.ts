import { PaymentsError, type PushQuery, type VerifiedPush } from '../../src/index.ts'
import { readAesKey, sealMessage } from '../../src/virtual/push.ts'
import { pushSignatureOf } from '../../src/virtual/signatures.ts'
import { shippedSources } from '../world/orders-in-this-world.ts'
import { mustFail, pushed } from '../world/virtual-vectors.ts'
import type { VirtualWorld } from '../world/virtual-world.ts'
import { errorOf, holds, type Rule, reasonOf } from './rule.ts'

type Posted = { url: string; body: string }

const queryOf = ({ url }: Posted): PushQuery => Object.fromEntries(new URL(url).searchParams)
const read = ({ virtual }: VirtualWorld, posted: Posted) =>
  virtual.readPush(queryOf(posted), Buffer.from(posted.body))

/** A push of this text, sealed and signed as the platform does. */
function sealed({ platform, settings, virtual }: VirtualWorld, text: string): Posted {
  const keys = { token: settings.pushToken, aesKey: readAesKey(settings.pushAesKey), appId: virtual.appId }
  const Encrypt = sealMessage(text, keys)
  const [timestamp, nonce] = ['1795330000', 'nonce']
  const msg_signature = pushSignatureOf([settings.pushToken, timestamp, nonce, Encrypt])
  const query = new URLSearchParams({ timestamp, nonce, encrypt_type: 'aes', msg_signature })
  return { url: `${platform.url}/push?${query}`, body: JSON.stringify({ Encrypt }) }
}

/** What was pushed of a number, first to last. */
const pushesOf = ({ pushed: all }: VirtualWorld, number: string) =>
  all.filter(({ payload: { OutTradeNo, MchOrderId } }) => [OutTradeNo, MchOrderId].includes(number))

function paymentIn(push: VerifiedPush | undefined) {
  if (push?.kind !== 'payment') throw new Error('not read as a payment')
  return push.payment
}

export const virtualPushRules: readonly Rule<VirtualWorld>[] = [
  {
    number: 9,
    text: 'a push is verified in constant time before it is decrypted; safe mode alone; padding, length and app id hold',
    weight: 'fatal',
    source: 'virtual payment §4.1, §4.2',
    apiAdds: {
      what: 'answering each refusal with a body',
      provenBy: {
        'doors/push-door.test.ts': [
          'that is forged, altered, of another app or in the clear moves nothing',
          'answers no failure with an empty body',
        ],
      },
    },
    check: async (world) => {
      const push = world.platform.push({ Event: 'any' })
      const query = queryOf(push)
      const forged = { ...query, msg_signature: query['signature'] }
      const readAs = (wrong: PushQuery, body: string) =>
        reasonOf(() => world.virtual.readPush(wrong, Buffer.from(body)))
      const nothingSealed = JSON.stringify({ Encrypt: 'not sealed at all' })
      holds(readAs(forged, push.body) === 'bad_signature', 'the plain signature passed')
      holds(readAs(query, nothingSealed) === 'bad_signature', 'something was decrypted first')
      holds(readAs(query, '{"Event":"any"}') === 'malformed_envelope', 'a body in clear passed')
      holds(readAs({ ...query, encrypt_type: 'raw' }, push.body) === 'headers_missing', 'no safe mode')
      const pushes = mustFail.filter(({ query: named }) => named !== undefined)
      const failures = pushes.map((vector) => errorOf(() => pushed(vector)))
      holds(pushes.length > 4, 'vectors are missing')
      holds(
        failures.every((error) => error instanceof PaymentsError),
        'a failure of another kind',
      )
      const compared = shippedSources().filter((text) => text.includes('Buffer.compare('))
      const constant = shippedSources().filter((text) => text.includes('timingSafeEqual('))
      holds(compared.length === 0 && constant.length > 0, 'compared in another way')
    },
  },
  {
    number: 10,
    text: 'whatever is not answered with success is pushed again; an empty answer would be one',
    weight: 'fatal',
    source: 'virtual payment §4.3',
    apiAdds: {
      what: 'success only after the commit, and a body in every other answer',
      provenBy: {
        'doors/push-without-database.test.ts': [
          'a push that cannot be committed is answered 503 with a body, and success once it is',
        ],
        'doors/push-door.test.ts': ['answers no failure with an empty body'],
      },
    },
    check: async (world) => {
      world.answers.push([503, '{"ErrCode":1,"ErrMsg":"later"}'], [409, '{"ErrCode":1,"ErrMsg":"no"}'])
      const number = await world.buy()
      for (let waited = 0; waited < 200 && pushesOf(world, number).length < 3; waited += 1)
        await new Promise((passed) => setTimeout(passed, 25))
      holds(pushesOf(world, number).length === 3, 'not pushed until success')
      const { state } = await world.virtual.queryOrder(number, world.openid)
      holds(state === 'delivered', 'success did not deliver it')
    },
  },
  {
    number: 11,
    text: 'repeats have one id, and push and query say the same of a payment',
    weight: 'fatal',
    source: 'virtual payment §4.4, §7.1',
    apiAdds: {
      what: 'the guarded statement that has its effect once',
      provenBy: {
        'doors/push-door.test.ts': [
          'that is repeated, at once and later, grants once and is answered success each time',
        ],
        'journeys/virtual-sweeps.test.ts': ['pushes and questions at the same time grant once'],
      },
    },
    check: async (world) => {
      const number = await world.buy()
      await world.platform.pushAgain(number)
      world.platform.usePush({ url: world.url, format: 'xml' })
      await world.platform.pushAgain(number)
      world.platform.usePush({ url: world.url })
      const pushes = pushesOf(world, number)
      holds(pushes.length === 3 && new Set(pushes.map(({ id }) => id)).size === 1, 'a repeat has another id')
      const asked = await world.virtual.queryAttempt(number, world.openid)
      if (asked.state !== 'paid') throw new Error('not paid')
      const facts = ({ source: _, goods: __, ...payment }: typeof asked.payment) => JSON.stringify(payment)
      const told = new Set([asked.payment, ...pushes.map(paymentIn)].map(facts))
      holds(told.size === 1, 'push and query differ')
    },
  },
  {
    number: 12,
    text: 'amount, item, quantity, environment, app id and attachment of a payment are there to be compared',
    weight: 'fatal',
    source: 'virtual payment §4.4',
    apiAdds: {
      what: 'the comparison, its alert and its refusal',
      provenBy: {
        'doors/push-door.test.ts': [
          'of %s never grants, is refused and told',
          'that is forged, altered, of another app or in the clear moves nothing',
        ],
      },
    },
    check: async (world) => {
      const GoodsInfo = { ProductId: 'x', Quantity: 2, OrigPrice: 3, ActualPrice: 4, Attach: 'y' }
      const event = { Event: 'xpay_goods_deliver_notify', OpenId: 'z', OutTradeNo: 'M01WRONG0', Env: 1 }
      const payment = paymentIn(read(world, world.platform.push({ ...event, GoodsInfo })))
      const { amountFen, outTradeNo, appId, payerOpenid, goods } = payment
      const said = [amountFen, outTradeNo, appId, payerOpenid].join()
      holds(said === `4,M01WRONG0,${world.virtual.appId},z`, 'a fact of the payment is lost')
      const { env, productId, quantity, attach } = goods ?? {}
      holds([env, productId, quantity, attach].join() === '1,x,2,y', 'a fact of the goods is lost')
    },
  },
  {
    number: 13,
    text: 'probes are told apart from payments, and so is a number that the platform knows from one that nobody does',
    weight: 'fatal',
    source: 'virtual payment §4.8',
    apiAdds: {
      what: 'granting nothing, and asking about numbers that were never signed here',
      provenBy: {
        'doors/push-door.test.ts': [
          'never grants, is answered success, and does not end the true push',
          'is what a number turns out to be that neither side knows: refused at first, then done',
          'is no %s number that the platform knows: it stays refused, and somebody is told',
        ],
      },
    },
    check: async (world) => {
      const number = await world.buy({ fault: 'is_probe' })
      await world.platform.pushAgain(number)
      const [probe, push] = pushesOf(world, number)
      holds(probe?.kind === 'probe' && !('payment' in probe), 'a probe is a payment')
      holds(push?.kind === 'payment' && push.id !== probe?.id, 'a probe ends the true push')
      const ask = (one: string) => world.virtual.queryAttempt(one, world.openid)
      holds((await ask('M01NOBODYKNOWS')).state === 'no_such_order', 'a number of nobody is known')
      holds((await ask(number)).state === 'paid', 'a known number is unknown')
      const flagged = ['packages/payments/src', 'apps/api/src'].flatMap(shippedSources)
      const texts = flagged.filter((text) => /mock/i.test(text.replaceAll('IsMock', '')))
      holds(texts.length === 0, 'there is a flag of our own')
    },
  },
  {
    number: 14,
    text: 'what else the mini-program is told is read as nothing of ours, whatever it is',
    weight: 'must',
    source: 'virtual payment §4.7',
    apiAdds: {
      what: 'answering success, and counting it',
      provenBy: { 'doors/push-door.test.ts': ['is answered success, counted, and kept nowhere'] },
    },
    check: async (world) => {
      const before = world.pushed.length
      const events = [
        { Event: 'subscribe_msg_popup_event' },
        { MsgType: 'text', Content: 'hello' },
        { Event: 'constructor' },
        { Event: 'xpay_subscribe_signing_result_notify', OutTradeNo: 'M01NEVER00' },
      ]
      for (const event of events) await world.platform.pushEvent(event)
      const kinds = world.pushed.slice(before).map(({ kind }) => kind)
      holds(kinds.length === 4 && kinds.every((kind) => kind === 'unknown'), 'something was made of it')
    },
  },
  {
    number: 15,
    text: 'the address is shown to be ours; JSON and XML say the same; entities and DOCTYPE are refused',
    weight: 'must',
    source: 'virtual payment §4.1, §4.2',
    apiAdds: {
      what: 'echoing the text exactly',
      provenBy: {
        'doors/push-door.test.ts': [
          'is shown to be ours by the text that the platform sent',
          'in %s activates the order, and success is its answer',
        ],
      },
    },
    check: async (world) => {
      const query = queryOf(world.platform.push({ Event: 'any' }))
      const echostr = ' 4375\u00e9<1>&'
      holds(world.virtual.verifyAddress({ ...query, echostr }) === echostr, 'not echoed as it came')
      const forged = { ...query, echostr, nonce: 'another' }
      holds(
        reasonOf(() => world.virtual.verifyAddress(forged)) === 'bad_signature',
        'a stranger was answered',
      )
      const head = '<MsgType>event</MsgType><Event>any</Event>'
      const reading = (text: string) => reasonOf(() => read(world, sealed(world, text)))
      holds(reading(`<xml>${head}</xml>`) === null, 'XML is not read')
      for (const text of [
        `<!DOCTYPE xml [<!ENTITY a "b">]><xml>${head}</xml>`,
        `<!DOCTYPE xml SYSTEM "file:///etc/passwd"><xml>${head}</xml>`,
      ])
        holds(reading(text) === 'malformed_payload', 'a document type was read')
      const { payload } = read(world, sealed(world, `<xml>${head}<Content>&lt;&amp;</Content></xml>`))
      holds(payload['Content'] === '&lt;&amp;', 'an entity was resolved')
      const said = { MsgType: 'event', Event: 'any' }
      const both = [JSON.stringify(said), `<xml>${head}</xml>`].map((text) =>
        read(world, sealed(world, text)),
      )
      const [json, xml] = both.map((push) => JSON.stringify(push.payload))
      holds(json === xml, 'JSON and XML differ')
    },
  },
]
