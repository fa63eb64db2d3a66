import { randomUUID } from 'node:crypto'
import { numberWithin } from '@meridian/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Console, problemOf, signedInConsole } from '../world/console.ts'
import { useTestWorld } from '../world/use-opened.ts'

type Role = 'viewer' | 'operator' | 'finance' | 'owner'

const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
let viewer: Console
let bought: { outTradeNo: string; userId: string; openid: string; transactionId: string; outRefundNo: string }

const consoleOf = async (role: Role) =>
  (await signedInConsole(world, { email: `${role}-${randomUUID().slice(0, 8)}@example.com`, role })).console
const find = async (text: string, console = viewer) => (await console.search.find.query({ text })).hits

beforeAll(async () => {
  viewer = await consoleOf('viewer')
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays('monthly')
  const { outRefundNo } = await (await consoleOf('finance')).refund.request.mutate({
    outTradeNo,
    amountFen: 100,
    keepDays: false,
    reason: 'user_request',
    note: '',
    reservedFen: 0,
  })
  const [row] = await world.query<{ userId: string; openid: string; transactionId: string }>(
    `SELECT user_id AS "userId", openid, transaction_id AS "transactionId"
     FROM orders JOIN users ON users.id = user_id WHERE out_trade_no = $1`,
    [outTradeNo],
  )
  if (!row) throw new Error('the order is not there')
  bought = { ...row, outTradeNo, outRefundNo }
})

const order = (matched: string) => ({
  kind: 'order',
  matched,
  outTradeNo: bought.outTradeNo,
  status: 'paid',
  channel: 'jsapi',
  amountFen: 2900,
  planName: '月度会员',
  payer: null,
  paidOn: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
  createdOn: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
})
const refund = () => ({
  kind: 'refund',
  matched: 'refund_number',
  outRefundNo: bought.outRefundNo,
  status: expect.any(String),
  amountFen: 100,
})
const user = (matched: string) => ({
  kind: 'user',
  matched,
  userId: bought.userId,
  nickname: null,
  isDisabled: false,
})

describe('an id', () => {
  test('leads to its order, however it is written', async () => {
    const { outTradeNo } = bought
    expect(await find(outTradeNo)).toEqual([order('order_number')])
    expect(await find(` ${outTradeNo.toLowerCase()} `)).toEqual([order('order_number')])
    expect(await find(bought.transactionId)).toEqual([order('transaction_id')])
  })

  test('leads to its order by its first and by its last characters, as a list shows them', async () => {
    const { outTradeNo, transactionId } = bought
    for (const text of [outTradeNo.slice(0, 12), outTradeNo.slice(-6), outTradeNo.slice(-8).toLowerCase()])
      expect(await find(text)).toContainEqual(order('order_number'))
    expect(await find(`${outTradeNo.slice(0, 8)}…${outTradeNo.slice(-6)}`)).toContainEqual(
      order('order_number'),
    )
    expect(await find(transactionId.slice(-6))).toContainEqual(order('transaction_id'))
  })

  test('leads to its refund, whole or by its first or last characters', async () => {
    const { outRefundNo } = bought
    expect(await find(outRefundNo)).toEqual([refund()])
    for (const text of [outRefundNo.slice(0, 12), outRefundNo.slice(-6)])
      expect(await find(text)).toContainEqual(refund())
  })

  test('leads to its user with their newest orders; by its first or last characters to the user', async () => {
    const { userId } = bought
    expect(await find(userId.toUpperCase())).toEqual([user('user_id'), order('order_of_user')])
    for (const text of [userId.slice(-6), userId.slice(0, 18)])
      expect(await find(text)).toContainEqual(user('user_id'))
    expect(JSON.stringify(await find(userId))).not.toContain('openid')
  })

  test('leads to its device, whole or by its first or last characters', async () => {
    await world.query(`INSERT INTO devices (serial_number, model) VALUES ('SN-2026-7731', 'W1')`)
    const device = { kind: 'device', matched: 'serial_number', serialNumber: 'SN-2026-7731', model: 'W1' }
    for (const text of ['sn-2026-7731', 'sn-2026', '-7731']) expect(await find(text)).toContainEqual(device)
  })

  test('is taken out of the message it was pasted with', async () => {
    const { outTradeNo, userId, transactionId } = bought
    expect(await find(`您好，我的订单${outTradeNo}，付了钱没有开通，请尽快处理！`)).toEqual([
      order('order_number'),
    ])
    expect(await find(`交易单号：${transactionId}\n金额 29.00`)).toEqual([order('transaction_id')])
    expect(await find(`user ${userId} asks again`)).toContainEqual(user('user_id'))
    expect(numberWithin(`refund ${bought.outRefundNo.toLowerCase()}?`)).toBe(bought.outRefundNo.toLowerCase())
    expect(numberWithin(`X${outTradeNo}`)).toBe(`X${outTradeNo}`)
  })

  test('that leads nowhere finds nothing, and neither % nor _ stands for anything', async () => {
    for (const text of ['nothing-like-it', '%%%%', '____', `M${'0'.repeat(26)}`])
      expect(await find(text)).toEqual([])
  })

  test('of one character, or a text of 501, is refused', async () => {
    expect(await problemOf(viewer.search.find.query({ text: 'M' }))).toBe('invalid_request')
    expect(await problemOf(viewer.search.find.query({ text: 'M'.repeat(501) }))).toBe('invalid_request')
  })
})

describe('a person', () => {
  const named = async (nickname: string, { secondsAgo = 0 } = {}) => {
    const id = randomUUID()
    const openid = `o${id.replaceAll('-', '').slice(0, 27)}`
    await world.query(
      `INSERT INTO users (id, openid, nickname, created_at)
       VALUES ($1, $2, $3, business_now() - $4 * interval '1 second')`,
      [id, openid, nickname, secondsAgo],
    )
    return id
  }

  test('is found by any part of their nickname, which is shown masked', async () => {
    const userId = await named('海边的小明Ming')
    for (const text of ['小明', '海边', '的小明', 'ming', '海边的小明Ming'])
      expect(await find(text)).toEqual([
        { kind: 'user', matched: 'nickname', userId, nickname: '海***', isDisabled: false },
      ])
    expect(await find('明小')).toEqual([])
  })

  test('is found by their whole openid, by those alone who may reveal it, and it is never shown', async () => {
    const { openid } = bought
    for (const role of ['operator', 'owner'] as const) {
      const console = await consoleOf(role)
      expect(await find(openid, console)).toEqual([user('openid')])
      expect(await find(openid.slice(0, -1), console)).toEqual([])
    }
    for (const role of ['viewer', 'finance'] as const)
      expect(await find(openid, await consoleOf(role))).toEqual([])
  })

  test('is one of many: five are shown, the newest first, and it is said that there are more', async () => {
    const ids: string[] = []
    for (let n = 0; n < 7; n += 1) ids.push(await named(`同名者${n}`, { secondsAgo: n }))
    const { hits, more } = await viewer.search.find.query({ text: '同名' })
    expect(hits.map((hit) => hit.kind === 'user' && hit.userId)).toEqual(ids.slice(0, 5))
    expect(more).toBe(true)
    expect((await viewer.search.find.query({ text: '同名者3' })).more).toBe(false)
  })
})
