import { beforeAll, expect, test } from 'vitest'
import { signedInConsole } from '../world/console.ts'
import { payLate } from '../world/parked-payments.ts'
import { userIdOf } from '../world/somebody.ts'
import { openFile, openMonthPack } from '../world/take-file.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let owner: Awaited<ReturnType<typeof signedInConsole>>
let userId: string

beforeAll(async () => {
  owner = await signedInConsole(world, { email: 'owner@example.com', role: 'owner' })
  const phone = await world.phone()
  await phone.buysAndPays('yearly')
  await world.query(`UPDATE plans SET name = '全年会员', name_en = 'All year' WHERE code = 'yearly'`)
  await world.query(`UPDATE plans SET name = '月卡', name_en = 'One month' WHERE code = 'monthly'`)
  await phone.buysAndPays('monthly')
  userId = await userIdOf(world, phone)
  await payLate(world, { policy: 'ask' })
})

/** What the files call the plans of which a row says something, each once. */
async function plansIn(name: 'orders' | 'parked' | 'subscriptions' | 'ledger', language: 'zh-CN' | 'en') {
  const query = name === 'ledger' ? { userId } : {}
  const { rows } = await openFile(world, { name, format: 'csv', token: owner.token, query, language })
  return [...new Set(rows.map((row) => row[language === 'en' ? 'Plan' : '套餐']))].toSorted()
}

test('a file says a sold plan in English where the plan has that name still, and else as it was sold', async () => {
  expect(await plansIn('orders', 'en')).toEqual(['One month', '年度会员'])
  expect(await plansIn('orders', 'zh-CN')).toEqual(['年度会员', '月卡'])
  expect(await plansIn('parked', 'en')).toEqual(['One month'])
  expect(await plansIn('parked', 'zh-CN')).toEqual(['月卡'])
  expect(await plansIn('ledger', 'en')).toEqual(['One month', '年度会员'])
  expect(await plansIn('subscriptions', 'en')).not.toContain('月卡')
})

test('the month for the accountant says it as the other files do', async () => {
  const month = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7)
  const plansOf = async (language: 'zh-CN' | 'en') => {
    const { rowsOf } = await openMonthPack(world, { token: owner.token, query: { month }, language })
    const [sheet, head] = language === 'en' ? ['Orders', 'Plan'] : ['订单', '套餐']
    return [...new Set(rowsOf(sheet).map((row) => row[head]))].toSorted()
  }
  expect(await plansOf('en')).toEqual(['One month', '年度会员'])
  expect(await plansOf('zh-CN')).toEqual(['年度会员', '月卡'])
})
