import { openVirtualWorld } from '../world/virtual-world.ts'
import { openWorld } from '../world/world.ts'
import { fatalRules } from './fatal-rules.ts'
import { operationRules } from './operation-rules.ts'
import { orderRules } from './order-rules.ts'
import { checkRule, type Rule } from './rule.ts'
import { virtualMoneyRules } from './virtual-money-rules.ts'
import { virtualPlatformRules } from './virtual-platform-rules.ts'
import { virtualPurchaseRules } from './virtual-purchase-rules.ts'
import { virtualPushRules } from './virtual-push-rules.ts'

type Listed = Omit<Rule, 'check'>
type OpenList = { check: (number: number) => Promise<void>; close: () => Promise<void> }

/** A list of rules. Opening it opens the world that its checks share, each of which begins without injected faults. */
export type RuleList = {
  title: string
  /** Before the number of each rule. */
  mark: string
  rules: readonly Listed[]
  open: () => Promise<OpenList>
}

type Given<In> = Omit<RuleList, 'open' | 'rules'> & { rules: readonly Rule<In>[]; openIn: () => Promise<In> }
type Where = { platform: { faults: { clear: () => void } }; close: () => Promise<void> }

function listOf<In extends Where>({ title, mark, rules, openIn }: Given<In>): RuleList {
  const inOrder = rules.toSorted((one, other) => one.number - other.number)
  const open = async () => {
    const world = await openIn()
    const check = async (wanted: number) => {
      world.platform.faults.clear()
      const rule = rules.find(({ number }) => number === wanted)
      if (!rule) throw new Error('there is no such rule')
      await checkRule(rule, world)
    }
    return { check, close: () => world.close() }
  }
  return { title, mark, rules: inOrder, open }
}

export const lists: readonly RuleList[] = [
  listOf({
    title: "the platform's list for integrations (wechatpay-skills, basic-payment guide, 2026-04-28)",
    mark: '',
    rules: [...fatalRules, ...orderRules, ...operationRules],
    openIn: () => openWorld({ keyMode: 'mixed', refundsSettleAfterMs: null, billsAtOnce: true }),
  }),
  listOf({
    title: 'virtual payment (protocol sheet of virtual payment §7.2)',
    mark: 'V',
    rules: [...virtualPurchaseRules, ...virtualPushRules, ...virtualPlatformRules, ...virtualMoneyRules],
    openIn: () => openVirtualWorld({ refundsSettleAfterMs: null }),
  }),
]
