import { isPlanList, type Plan, type PlanList } from './answers.ts'
import type { SendCall } from './call-api.ts'
import { answered } from './problem.ts'

/** What can be shown and sold: `builtIn` when it could not be read and is what the mini-program was made with. */
export type Offers = PlanList & { builtIn: boolean }

/** What a plan must say to be bought: its price goes with the purchase, so that what was shown is what is charged. */
export type PlanChoice = Pick<Plan, 'code' | 'price_fen'>

const plan = (code: string, name: string, [days, fen]: [days: number, fen: number]): Plan => ({
  code,
  name,
  description: '',
  duration_days: days,
  price_fen: fen,
  list_price_fen: null,
  currency: 'CNY',
  features: [],
  badge: null,
})

/** The plans that every installation starts with. */
export const builtInPlans: readonly Plan[] = [
  plan('monthly', '月度会员', [30, 2900]),
  plan('quarterly', '季度会员', [90, 7900]),
  plan('yearly', '年度会员', [365, 26800]),
]

/** Reads the plans, costing nothing while they are unchanged, and never failing: a price can always be shown. */
export function openPlans(send: SendCall, builtIn: readonly Plan[]): () => Promise<Offers> {
  let last: { etag: string; offers: Offers } | null = null
  return async () => {
    try {
      const headers: Record<string, string> = last ? { 'if-none-match': last.etag } : {}
      const answer = await send('/subscription/plans', { headers, repeats: 1 })
      if (answer.status === 304 && last) return last.offers
      const read = answered(answer, isPlanList)
      last = { etag: answer.headers['etag'] || '', offers: { ...read, builtIn: false } }
      return last.offers
    } catch {
      if (last) return last.offers
      return { plans: [...builtIn], sale: { allowed: true, channel: null, message: null }, builtIn: true }
    }
  }
}
