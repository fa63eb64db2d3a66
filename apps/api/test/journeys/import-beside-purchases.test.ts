import { beforeAll, expect, test } from 'vitest'
import { readIncomes } from '../../src/finance/read-income.ts'
import { undoImport } from '../../src/imports/undo-import.ts'
import { checkInvariants } from '../../src/invariants/check-invariants.ts'
import { showLedger } from '../../src/subscriptions/show-ledger.ts'
import { hire } from '../world/console.ts'
import { doJob } from '../world/do-jobs.ts'
import { useImports } from '../world/import-lines.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { somebody } from '../world/somebody.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const take = useImports(world)
let operatorId = ''
beforeAll(async () => {
  operatorId = await hire(world, { email: 'refunds@example.com', role: 'owner' })
})

const pool = () => world.services.database.pool
const now = () => world.services.runtime.now()
const inDays = (days: number) => new Date(now().getTime() + days * 86_400_000).toISOString()

/** Somebody who has bought here. */
async function buyer(planCode = 'monthly') {
  const { phone } = await somebody(world)
  const outTradeNo = await phone.buysAndPays(planCode)
  const [user] = await world.query<{ id: string }>('SELECT id::text AS id FROM users WHERE openid = $1', [
    phone.openid,
  ])
  return { phone, outTradeNo, userId: user?.id ?? '' }
}

const incomeOf = async (userId: string) =>
  (await readIncomes(pool(), [userId], now())).map(({ receivedFen, recognisedFen, deferredFen }) => ({
    receivedFen,
    recognisedFen,
    deferredFen,
  }))

const monthsOfIncome = async () => {
  await doJob(world, 'add_up', {})
  return world.query(
    `SELECT to_char(day, 'YYYY-MM') AS month, sum(new_fen)::int AS new, sum(earned_fen)::int AS earned
     FROM income_day_sums GROUP BY 1 HAVING sum(new_fen) <> 0 OR sum(earned_fen) <> 0 ORDER BY 1`,
  )
}

test('a refund after an import was taken back takes the days of its order, and the plan shown is the one that is left', async () => {
  const { phone, outTradeNo } = await buyer()
  const { id } = await take('subscribers', [`shop,refund-1,${phone.openid},30`])
  expect(await phone.subscription()).toMatchObject({ remaining_days: 60 })
  await undoImport(pool(), id)
  expect(await phone.subscription()).toMatchObject({ remaining_days: 30, plan: { code: 'monthly' } })
  await refundToItsEnd(world, { outTradeNo, amountFen: 2900, operatorId })
  expect(await phone.subscription()).toMatchObject({ is_active: false, remaining_days: 0, plan: null })
  expect(await checkInvariants(pool())).toEqual([])
})

test('an order whose import was taken back has no days left, and why there is access names it no more', async () => {
  const { phone } = await somebody(world)
  await take('subscribers', [`shop,why-1,${phone.openid},30`])
  const { id } = await take('orders', [`shop,why-2,${phone.openid},yearly,26800,,WHY-000002,${inDays(-1)},`])
  expect(await phone.subscription()).toMatchObject({ remaining_days: 395, plan: { code: 'yearly' } })
  await undoImport(pool(), id)
  expect(await phone.subscription()).toMatchObject({ remaining_days: 30, plan: null })
  const [{ id: userId = '' } = {}] = await world.query<{ id: string }>(
    'SELECT id::text AS id FROM users WHERE openid = $1',
    [phone.openid],
  )
  const { ledger, why } = await showLedger(pool(), { userId, operatorId })
  expect(ledger.map(({ days, unusedDays }) => [days, unusedDays])).toEqual([
    [30, 30],
    [365, 0],
    [-365, 0],
  ])
  expect(why.map(({ code }) => code)).toEqual(['active_until', 'days_from_import', 'taken_with_import'])
})

test('an order of before somebody bought here brings no days twice: its file is refused, with days 0 it is taken', async () => {
  const { phone } = await buyer()
  const line = (days: string) => `shop,old-1,${phone.openid},yearly,26800,,OLD-YEAR-1,${inDays(-800)},${days}`
  const refused = await take('orders', [line('')])
  expect(refused).toMatchObject({ state: 'faulty', users: 0 })
  expect(refused.faults).toEqual([{ line: 2, column: 'days', code: 'has_later_days' }])
  expect(await take('orders', [line('0')])).toMatchObject({ state: 'done', users: 1, days: 0 })
  expect(await phone.subscription()).toMatchObject({ remaining_days: 30 })
})

test('an order of another file that lies before what was imported is refused as well, one that lies behind goes on top', async () => {
  const line = (id: string, ago: number) => `shop,${id},chain_a,yearly,26800,,CHAIN-${id},${inDays(-ago)},`
  await take('orders', [line('second', 430)])
  expect(await take('orders', [line('first', 800)])).toMatchObject({ state: 'faulty' })
  const { id } = await take('orders', [line('third', 10)])
  expect((await undoImport(pool(), id)).obstacles).toEqual([])
  expect(await take('orders', [line('again', 20)])).toMatchObject({ state: 'done', days: 365 })
})

test('imports are taken back one after the other, the newest first', async () => {
  const first = await take('subscribers', ['shop,undo-1,undo_a,30'])
  const second = await take('orders', [`shop,undo-2,undo_a,monthly,2900,,UNDO-TWO-1,${inDays(-1)},`])
  expect((await undoImport(pool(), first.id)).obstacles).toEqual([{ line: 2, why: 'later_ledger_entry' }])
  expect((await undoImport(pool(), second.id)).obstacles).toEqual([])
  expect(await undoImport(pool(), first.id)).toEqual({ obstacles: [], lines: 1 })
  expect(await checkInvariants(pool())).toEqual([])
})

test('an import, and taking it back, leave the income of what was bought here as it was, also of months that are over', async () => {
  const { phone, userId } = await buyer('quarterly')
  await world.passTime({ seconds: 40 * 86_400 })
  const [income, months] = [await incomeOf(userId), await monthsOfIncome()]
  expect(income).toEqual([
    { receivedFen: 7900, recognisedFen: expect.any(Number), deferredFen: expect.any(Number) },
  ])
  expect(income[0]?.deferredFen).toBeGreaterThan(0)
  const { id } = await take('subscribers', [`shop,income-1,${phone.openid},30`])
  expect(await incomeOf(userId)).toEqual(income)
  expect(await monthsOfIncome()).toEqual(months)
  await undoImport(pool(), id)
  expect(await incomeOf(userId)).toEqual(income)
  expect(await monthsOfIncome()).toEqual(months)
})

test('an imported order is none of the income here', async () => {
  await take('orders', [`shop,income-2,income_b,yearly,26800,,INCOME-002,${inDays(-1)},`])
  const [{ id = '' } = {}] = await world.query<{ id: string }>(
    `SELECT id::text AS id FROM users WHERE openid = 'income_b'`,
  )
  expect(await incomeOf(id)).toEqual([])
})
