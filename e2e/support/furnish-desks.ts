import { randomUUID } from 'node:crypto'
import { ask } from './database.ts'
import { plantNotes } from './furnish-notes.ts'
import { plantTags } from './furnish-tags.ts'
import { unlockPhone } from './phone.ts'
import { plantDevelopers } from './plant-developers.ts'
import { plantAtDesks, plantClosedMonth, plantReconciledDay, untouchedDays } from './planted-desks.ts'
import { plantOperator } from './stored-operators.ts'
import { buyerOf, keptNotification, parkOrder } from './stored-orders.ts'

export type Desks = Awaited<ReturnType<typeof furnishDesks>>

/** Something on every desk of the console, none of it the doing of who will sit there. */
export async function furnishDesks() {
  const [buyer, hesitant, odd, late] = await Promise.all([
    unlockPhone(),
    unlockPhone(),
    unlockPhone(),
    unlockPhone(),
  ])
  const serial = `DESK-${randomUUID().slice(0, 8).toUpperCase()}`
  const paid = (await buyer.buysAndPays('monthly')).out_trade_no
  const unpaid = (await hesitant.buys('monthly')).order.out_trade_no
  const parked = (await odd.buysAndPays('monthly')).out_trade_no
  const tooLate = (await late.buysAndPays('monthly')).out_trade_no
  await buyer.binds(serial)
  const report = await buyer.scans()
  const notification = await keptNotification(paid)
  await Promise.all([keptNotification(parked), keptNotification(tooLate)])
  await parkOrder(parked)
  await parkOrder(tooLate, 'late_payment')
  const { openDay, closableDay } = await untouchedDays()
  await plantReconciledDay(openDay, paid)
  await plantNotes(paid)
  await plantTags({ outTradeNo: paid, serial })
  await plantClosedMonth()
  await plantDevelopers()
  const asker = { email: `${serial.toLowerCase()}@meridian.test`, role: 'finance' as const }
  await plantOperator(asker)
  const refunds = await plantAtDesks({ outTradeNo: paid, askerEmail: asker.email, closableDay })
  const { userId } = await buyerOf(paid)
  await ask(`UPDATE users SET nickname = '海边的小明' WHERE id = $1`, [userId])
  return {
    paid,
    unpaid,
    parked,
    tooLate,
    serial,
    report,
    notification,
    userId,
    openDay,
    closableDay,
    askerEmail: asker.email,
    ...refunds,
  }
}
