import { isProblem, type PlanChoice } from '@meridian/miniprogram-client'
import { oneOf } from './chance.ts'
import { nicknameOf } from './nicknames.ts'
import type { Ending, Person } from './person.ts'
import type { Shop } from './shop.ts'
import { count } from './tally.ts'

export type Visit = {
  day: number
  person: number
  now: Date
  plans: readonly [PlanChoice, ...PlanChoice[]]
}

const shareOfHurried = 0.85
const shareWithDevice = 0.8

/** How a sheet ends: most pay, some press it away, some leave it open. */
const endings: readonly [Ending, ...Ending[]] = [
  'pays',
  ...Array.from({ length: 16 }, () => 'pays' as const),
  'cancels',
  'leaves',
  'leaves',
]

/** How likely somebody buys who has so many days left. */
function wish(daysLeft: number): number {
  if (daysLeft === 0) return 0.5
  return daysLeft <= 5 ? 0.7 : 0.03
}

/** The first time: a name for the staff, a wearable, the wish to be reminded. */
async function begin(shop: Shop, { person }: Visit, { client }: Person): Promise<void> {
  const { chance } = shop
  const me = await client.account.get()
  shop.known.set(person, me.id)
  await client.account.update({ nickname: nicknameOf(person) })
  if (chance('device', person) < shareWithDevice)
    await client.devices.bind({ serial_number: `DEMO-${String(person + 1).padStart(4, '0')}`, model: 'M1' })
  if (chance('reminder', person) < 0.5) await client.account.grantMessage('expiry_reminder')
}

/** A measurement, and for who may, a treatment by one of the programs. */
async function measure(shop: Shop, { day, person, now }: Visit, isSubscribed: boolean): Promise<void> {
  const { chance, people, tally } = shop
  const holder = people[person]
  const id = `demo-${day}-${person}-${now.getTime()}`
  const score = Math.round(60 + 35 * chance('score', day, person))
  await holder?.reports('scan', { client_report_id: `${id}-s`, now, score })
  count(tally, 'reports')
  if (!isSubscribed || chance('treatment', day, person) > 0.7) return
  const config = await holder?.client.diagnosisConfig()
  const program = config?.programs.find(({ locked }) => !locked)
  if (!program) return
  await holder?.reports('treatment', { client_report_id: `${id}-t`, now, program_code: program.code })
  count(tally, 'reports')
}

async function buy(shop: Shop, { day, person, plans }: Visit, { buys, system }: Person): Promise<void> {
  const { chance, sales, left, tally } = shop
  const plan = oneOf(plans, chance('plan', day, person) ** 1.6)
  const how = oneOf(endings, chance('ending', day, person))
  const outcome = await buys(plan, how)
  if (outcome.kind === 'paid') {
    const { out_trade_no: outTradeNo, amount_fen: amountFen } = outcome.order
    sales.push({ outTradeNo, amountFen, mark: `${day}-${person}` })
    count(tally, 'bought')
  } else {
    if (how === 'leaves' && system === 'android') left.push({ outTradeNo: outcome.outTradeNo, day, person })
    count(tally, 'unpaid')
  }
}

async function visit(shop: Shop, about: Visit): Promise<void> {
  const { chance, people, known, tally } = shop
  const { day, person } = about
  const visitor = people[person]
  if (!visitor) return
  if (!known.has(person)) await begin(shop, about, visitor)
  count(tally, 'visits')
  const { remaining_days: daysLeft } = await visitor.client.subscription()
  if (chance('measures', day, person) < shareOfHurried) await measure(shop, about, daysLeft > 0)
  const isSold = visitor.system === 'android' || shop.sellsToIphones
  if (isSold && chance('buys', day, person) < wish(daysLeft)) await buy(shop, about, visitor)
}

/** One visit of one person. What the API refuses is noted and no reason to end; anything else is. */
export async function playVisit(shop: Shop, about: Visit): Promise<void> {
  try {
    await visit(shop, about)
  } catch (error) {
    if (!isProblem(error)) throw error
    shop.refusals.add(error.code)
  }
}
