import { z } from 'zod'
import { type ConsoleApi, ConsoleRefusal } from '../support/call-console.ts'
import { oneOf } from './chance.ts'
import { setUpShop } from './set-up-shop.ts'
import type { Sale, Shop } from './shop.ts'
import { type Desk, type Staff, sitDown } from './staff.ts'
import { count } from './tally.ts'
import { writeDown } from './write-down.ts'

const RefundLook = z.object({ reservedFen: z.number(), obstacle: z.string().nullable() })
const AskedRefund = z.object({ outRefundNo: z.string(), status: z.string() })
const DaysLook = z.object({ entries: z.number(), hasOpenRequest: z.boolean() })
const DaysAsked = z.object({ outcome: z.enum(['granted', 'requested']) })
const Requests = z.object({
  items: z.array(z.object({ id: z.string(), state: z.string(), obstacle: z.string().nullable() })),
})

/** Of how many sales money is asked back, and of how many only a part of it. */
const shareOfRefunds = 0.15
const shareOfParts = 0.05

const reasons = ['user_request', 'user_request', 'defect', 'other'] as const
/** Days that one person gives alone, and more than they may. */
const gifts = [3, 7, 15, 45] as const

export type Desks = { finance: Desk; owner: Desk; operator: Desk }

async function giveBack(shop: Shop, { finance, owner }: Desks, sale: Sale): Promise<void> {
  const { chance, tally } = shop
  const wanted = chance('refund', sale.mark)
  if (wanted > shareOfRefunds) return
  const amountFen = wanted < shareOfParts ? Math.ceil(sale.amountFen / 3) : sale.amountFen
  const asked = { outTradeNo: sale.outTradeNo, amountFen, keepDays: wanted < shareOfParts }
  const look = RefundLook.parse(await finance({ procedure: 'refund.preview', input: asked, reads: true }))
  if (look.obstacle !== null) return
  const reason = oneOf(reasons, chance('reason', sale.mark))
  const input = { ...asked, reason, note: '', reservedFen: look.reservedFen }
  const { outRefundNo, status } = AskedRefund.parse(await finance({ procedure: 'refund.request', input }))
  count(tally, 'refunds')
  if (status !== 'requested') return
  const approve = chance('approve', sale.mark) < 0.85
  await owner({ procedure: 'refund.decide', input: { outRefundNo, approve } })
  count(tally, 'approved')
}

async function giveDays(shop: Shop, { operator, owner }: Desks, about: [day: number, userId: string]) {
  const { chance, tally } = shop
  const [day, userId] = about
  const days = oneOf(gifts, chance('gift', day))
  const look = await operator({ procedure: 'subscription.previewDays', input: { userId, days }, reads: true })
  const { entries, hasOpenRequest } = DaysLook.parse(look)
  if (hasOpenRequest) return
  const input = { userId, days, entries, reason: '门店活动赠送' }
  const asked = DaysAsked.parse(await operator({ procedure: 'subscription.changeDays', input }))
  count(tally, 'gifts')
  if (asked.outcome === 'granted') return
  const { items } = Requests.parse(await owner({ procedure: 'subscription.requests', reads: true }))
  const waiting = items.find(({ state, obstacle }) => state === 'requested' && obstacle === null)
  if (waiting)
    await owner({ procedure: 'subscription.decideRequest', input: { id: waiting.id, verdict: 'approve' } })
}

const Closing = z.object({ verdict: z.string() })
const dayMs = 86_400_000
const businessDay = (time: number) => new Date(time + 8 * 3_600_000).toISOString().slice(0, 10)
/** Bills are there on the next morning, and what differs is looked at first: the last two days stay open. */
const closable = [8, 7, 6, 5, 4, 3] as const

/** Finance closes the days that are reconciled; one that is not stays open. */
async function closeDays({ sandbox, tally }: Shop, finance: Desk): Promise<void> {
  const now = await sandbox.now()
  for (const ago of closable) {
    const date = businessDay(now.getTime() - ago * dayMs)
    const answer = await finance({ procedure: 'reconciliation.closeDay', input: { date } })
    if (Closing.parse(answer).verdict === 'closed') count(tally, 'closed')
  }
}

/** What the API refuses is noted and no reason to end; anything else is. */
async function unlessRefused(shop: Shop, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof ConsoleRefusal)) throw error
    shop.refusals.add(error.message)
  }
}

/** A day on which the staff works off what has come together: money given back, days given away. */
export async function playOffice(shop: Shop, day: number, { api, staff }: { api: ConsoleApi; staff: Staff }) {
  const [finance, owner, operator] = await Promise.all([
    sitDown(api, staff.finance),
    sitDown(api, staff.owner),
    sitDown(api, staff.operator),
  ])
  const desks = { finance, owner, operator }
  await unlessRefused(shop, setUpShop(shop, owner))
  await unlessRefused(shop, closeDays(shop, finance))
  await unlessRefused(shop, writeDown(shop, operator))
  for (const sale of shop.sales.splice(0)) await unlessRefused(shop, giveBack(shop, desks, sale))
  const known = [...shop.known.values()]
  const [first, ...others] = known
  if (first === undefined) return
  const lucky = oneOf([first, ...others], shop.chance('lucky', day))
  await unlessRefused(shop, giveDays(shop, desks, [day, lucky]))
}
