import { createDecipheriv } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { answerInquiry } from '../../src/refunds/answer-inquiry.ts'
import { decideOpinion, type InquiryFacts } from '../../src/refunds/decide-opinion.ts'
import { setSetting } from '../world/set-setting.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { payInSecret } from '../world/virtual-order.ts'
import { openVirtualShop } from '../world/virtual-shop.ts'

const world = useTestWorld()
beforeAll(() => openVirtualShop(world))

/** What is in the sealed answer (virtual payment §4.2). */
function opened(body: string) {
  const { Encrypt } = JSON.parse(body)
  const key = Buffer.from(`${world.platform.settings().virtual.pushAesKey}=`, 'base64')
  const decipher = createDecipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false)
  const plain = Buffer.concat([decipher.update(Buffer.from(Encrypt, 'base64')), decipher.final()])
  const json: unknown = JSON.parse(plain.subarray(20, 20 + plain.readUInt32BE(16)).toString())
  return json
}
const ask = async (attemptNo: string, requestedAt = new Date('2026-11-25T10:00:00Z')) =>
  opened(await answerInquiry(world.services, { attemptNo, requestedAt, reason: 'UNINTENDED_PURCHASE' }))
const keptOf = (attemptNo: string) =>
  world.query(
    'SELECT out_trade_no, let_pass, opinion, asked, reason FROM apple_inquiries WHERE attempt_no = $1 ORDER BY id',
    [attemptNo],
  )

describe('Apple asks about a refund', () => {
  test('of which nothing was used: let pass; once days were used: refused', async () => {
    const phone = await world.phone()
    const outTradeNo = await phone.buysAndPaysVirtually({ system: 'ios' })
    expect(await ask(outTradeNo)).toMatchObject({
      result_code: 0,
      evidence: expect.stringMatching(
        /CNY 29\.00, paid .*, 30 days granted, 0 days used, 0 reports stored since$/,
      ),
    })
    await world.passTime({ days: 3 })
    expect(await ask(outTradeNo)).toMatchObject({ result_code: 0 })
    expect(await ask(outTradeNo, new Date('2026-11-28T10:00:00Z'))).toMatchObject({
      result_code: 1,
      evidence: expect.stringContaining('3 days used'),
    })
    const reason = 'UNINTENDED_PURCHASE'
    expect(await keptOf(outTradeNo)).toEqual([
      { out_trade_no: outTradeNo, let_pass: true, opinion: 'by_use', asked: 2, reason },
      { out_trade_no: outTradeNo, let_pass: false, opinion: 'by_use', asked: 1, reason },
    ])
    const told = await world.query(
      `SELECT detail FROM order_events e JOIN orders o ON o.id = e.order_id
       WHERE o.out_trade_no = $1 AND e.kind = 'apple_inquiry' ORDER BY e.id`,
      [outTradeNo],
    )
    expect(told).toHaveLength(2)
  })

  test('by a push is answered in time, and Apple understands it', async () => {
    const outTradeNo = await (await world.phone()).buysAndPaysVirtually({ system: 'ios' })
    const before = world.platform.deliveries.length
    const started = performance.now()
    const expected = {
      result_code: 0,
      result_info: 'agree',
      evidence: expect.stringContaining('0 days used'),
    }
    expect(await world.platform.askOpinion(outTradeNo)).toEqual(expected)
    expect(performance.now() - started).toBeLessThan(2_000)
    expect(world.platform.deliveries.length).toBe(before + 1)
    expect(await keptOf(outTradeNo)).toMatchObject([{ out_trade_no: outTradeNo, let_pass: true, asked: 1 }])
  })

  test('of what was never granted: let pass', async () => {
    const outTradeNo = await payInSecret(await world.phone(), { system: 'ios' })
    expect(await ask(outTradeNo)).toMatchObject({
      result_code: 0,
      evidence: expect.stringContaining('not paid'),
    })
  })

  test('of a number that is not ours: let pass, and kept', async () => {
    await setSetting(world, 'ios_refund_opinion', 'refuse')
    expect(await ask('unknown-number')).toEqual({
      result_code: 0,
      result_info: 'agree',
      evidence: 'no such order',
    })
    expect(await keptOf('unknown-number')).toMatchObject([{ out_trade_no: null, let_pass: true }])
    await setSetting(world, 'ios_refund_opinion', 'by_use')
  })
})

describe('the opinion', () => {
  const facts: InquiryFacts = {
    opinion: 'by_use',
    outTradeNo: 'M1',
    amountFen: 2900,
    paidAt: new Date('2026-11-25T10:00:00Z'),
    daysGranted: 30,
    daysUsed: 1,
    reports: 2,
  }
  test.each([
    ['used', {}, false],
    ['unused', { daysUsed: 0 }, true],
    ['never granted', { daysGranted: 0, daysUsed: 0, paidAt: null }, true],
    ['always', { opinion: 'allow' }, true],
    ['never', { opinion: 'refuse', daysUsed: 0 }, false],
    ['of no order', { opinion: 'refuse', outTradeNo: null }, true],
  ] as const)('%s', (_case, changes, letPass) => {
    expect(decideOpinion({ ...facts, ...changes }).letPass).toBe(letPass)
  })
})
