import { randomUUID } from 'node:crypto'
import { Phone } from '../world/phone.ts'
import { setSetting } from '../world/set-setting.ts'
import { setPolicy as setSale } from '../world/virtual-shop.ts'
import { newAccount, type SalePolicy } from './account.ts'
import { callOf } from './acts.ts'
import { type Buy, buying, isUndecided, repeated, untilDecidedMs } from './buying.ts'
import { comeToRest, judge } from './come-to-rest.ts'
import { tellApple } from './messages.ts'
import { nothingYet } from './observe.ts'
import type { Shop } from './open-shop.ts'
import { endRefund, pay, payAgain, racing, refundByApple, useSheet } from './paying.ts'
import { situationsOf } from './situations.ts'
import type { Step } from './steps.ts'
import { count, noFaults, pass, type Run, type Tally, take, working } from './take.ts'
import type { Visit } from './visit.ts'

async function enter(shop: Shop): Promise<Visit> {
  const [one, other] = shop.replicas
  const phone = await Phone.logIn(one.url, shop.platform, `o${randomUUID()}`)
  const { openid, platform, tokens } = phone
  const elsewhere = new Phone(`${other.url}/api/v1`, { openid, platform, tokens })
  const { rows } = await shop.pool.query<{ id: string }>('SELECT id FROM users WHERE openid = $1', [openid])
  const sale = { ios: 'jsapi', android: 'jsapi' } as const
  await setPolicy(shop, 'activate')
  await sell(shop, sale)
  return {
    shop,
    phones: [phone, elsewhere],
    userId: rows[0]?.id ?? '',
    account: newAccount('activate', sale),
    observed: nothingYet,
    inbox: [],
    doubtful: new Set(),
    sheets: [],
    writtenBills: new Set(),
  }
}

const setPolicy = ({ pool }: Shop, policy: string) =>
  setSetting(
    { query: async (sql, values) => (await pool.query(sql, values)).rows },
    'late_payment_policy',
    policy,
  )
const sell = ({ pool }: Shop, sale: SalePolicy) =>
  setSale({ query: async (sql, values) => (await pool.query(sql, values)).rows }, sale)

async function buy(run: Run, step: Buy): Promise<void> {
  const { visit } = run
  if (isUndecided(visit, step)) await pass(visit, untilDecidedMs)
  await take(run, [buying(visit, step)], step)
  if (step.opens) useSheet(visit, { step: 'sheet', sheet: 0, does: 'open' })
}

async function go(run: Run, step: Step): Promise<void> {
  const { visit } = run
  switch (step.step) {
    case 'rest':
      return
    case 'buy':
      return buy(run, repeated(visit, step))
    case 'together': {
      const calls = step.acts.flatMap((act) => {
        const call = callOf(visit, act)
        if (call) count(run.tally.acts, act.act)
        return call ?? []
      })
      return take(run, calls, step)
    }
    case 'race': {
      const call = racing(visit, step)
      return call ? take(run, [call], noFaults) : undefined
    }
    case 'work':
      return take(run, [working(visit)], step)
    case 'sheet':
      return useSheet(visit, step)
    case 'pay':
      return pay(visit, step)
    case 'payAgain':
      return payAgain(visit, step)
    case 'end':
      return endRefund(visit, step)
    case 'apple': {
      await refundByApple(visit, step.sheet)
      const call = step.tells && tellApple(visit, { act: 'tellApple', refund: 0, on: 0, copies: 1 })
      return call ? take(run, [call], noFaults) : undefined
    }
    case 'pass':
      return pass(visit, step.minutes * 60_000)
    case 'policy':
      await setPolicy(visit.shop, step.policy)
      visit.account = { ...visit.account, policy: step.policy }
      return
    case 'sale':
      await sell(visit.shop, step.sale)
      visit.account = { ...visit.account, sale: step.sale }
  }
}

/** One user's life in the shop, step by step, each held against the model. */
export async function runSequence(shop: Shop, steps: readonly Step[], tally: Tally): Promise<void> {
  const visit = await enter(shop)
  const run = { visit, tally }
  for (const step of steps) {
    tally.steps++
    count(tally.acts, step.step)

    await go(run, step)
  }
  for (const situation of situationsOf(visit.account, shop.now())) count(tally.situations, situation)
  await comeToRest(run)
  await judge(visit)
}
