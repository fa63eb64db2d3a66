import { scheduler } from 'node:timers/promises'
import { PhoneError, type VirtualOrderRecord } from '@meridian/payments/testing'
import { isUnpaid, type Order } from './account.ts'
import { cancelling } from './acts.ts'
import type { Effect } from './effects.ts'
import type { Shop } from './open-shop.ts'
import { paymentsThere, platformOrder, sheetsOf, sheetThere } from './platform-truth.ts'
import type { Step, Which } from './steps.ts'
import { attemptsOf, type Call, choose, type Sheet, type Visit } from './visit.ts'

type StepOf<Name extends Step['step']> = Extract<Step, { step: Name }>

/** The phone may be refused; then nothing was paid. */
const unlessRefused = (paying: Promise<unknown>) =>
  paying.catch((error: unknown) => {
    if (!(error instanceof PhoneError)) throw error
  })
const payOn = ({ shop }: Visit, no: string, changes: Parameters<Shop['platform']['pay']>[1]) =>
  unlessRefused(shop.platform.pay(no, changes))

/** Opens a sheet; refused where somebody logged in since it was signed, or the number was used. */
function open({ shop, phones }: Visit, { params, system }: Sheet): VirtualOrderRecord | undefined {
  try {
    return shop.platform.openSheet(params, { openid: phones[0].openid, system })
  } catch (error) {
    if (!(error instanceof PhoneError)) throw error
    return undefined
  }
}

const unopened = (visit: Visit) => visit.sheets.filter(({ number }) => !sheetThere(visit, number))
const isOpen = ({ status }: VirtualOrderRecord) => status === 1
const openSheets = (visit: Visit) =>
  visit.account.orders.flatMap(({ no }) =>
    sheetsOf(visit, no)
      .filter(({ sheet }) => isOpen(sheet))
      .map(({ sheet }) => sheet),
  )

export function useSheet(visit: Visit, { sheet: index, does }: StepOf<'sheet'>): void {
  if (does === 'open') {
    const sheet = choose(unopened(visit), index)
    if (sheet) open(visit, sheet)
    return
  }
  // What the platform closes cannot be used again (virtual payment §3.3).
  const closed = choose(openSheets(visit), index)
  if (closed) closed.status = 6
}

/** Whether anything of this order can still be paid. */
function isPayable(visit: Visit, { no, channel }: Order): boolean {
  if (channel === 'jsapi') return platformOrder(visit, no)?.payments.length === 0
  return (
    sheetsOf(visit, no).some(({ sheet }) => isOpen(sheet)) ||
    unopened(visit).some(({ orderNo }) => orderNo === no)
  )
}

/** The payer confirms a sheet of this order, the newest or an older one; what was not opened is opened now. */
async function paySheet(visit: Visit, { no }: Order, paying: Paying): Promise<void> {
  const { sheet: index, paidAt } = paying
  const payable = visit.sheets.filter(({ number, orderNo }) => {
    const there = sheetThere(visit, number)
    return orderNo === no && (!there || isOpen(there))
  })
  const chosen = choose(payable, index)
  if (!chosen) return
  const there = sheetThere(visit, chosen.number) ?? open(visit, chosen)
  if (!there) return
  const changes = { silent: true, ...(paidAt && { paidAt }) }
  await unlessRefused(visit.shop.platform.paySheet(there.number, changes))
}
type Paying = { sheet: number; paidAt?: Date | undefined }

export async function pay(visit: Visit, { order: index, sheet, when }: StepOf<'pay'>): Promise<void> {
  const payable = visit.account.orders.filter(
    (order) => isPayable(visit, order) && paymentsThere(visit, order).length === 0,
  )
  const order = choose(payable, index)
  if (!order) return
  const inTime = new Date(Math.min(visit.shop.now(), order.expiresAt - 60_000))
  const paidAt = when === 'in time' ? inTime : undefined
  if (order.channel === 'virtual') return paySheet(visit, order, { sheet, paidAt })
  await payOn(visit, order.no, { silent: true, late: true, ...(paidAt && { paidAt }) })
}

/** Once more what is paid there already: JSAPI by a race of the platform's own, virtual payment by another open sheet. */
export async function payAgain(visit: Visit, { order: index, sheet }: StepOf<'payAgain'>): Promise<void> {
  const payable = visit.account.orders.filter(
    (order) =>
      paymentsThere(visit, order).length > 0 && (order.channel === 'jsapi' || isPayable(visit, order)),
  )
  const order = choose(payable, index)
  if (!order) return
  if (order.channel === 'virtual') return paySheet(visit, order, { sheet })
  await payOn(visit, order.no, { silent: true, late: true, again: true })
}

/** Ends a refund of ours that is on its way, and tells nobody. */
export async function endRefund(visit: Visit, { refund: index, as }: StepOf<'end'>): Promise<void> {
  const { platform } = visit.shop
  const open = visit.account.refunds.filter(({ no }) => {
    const status = platform.refunds.get(no)?.status
    return status === 'PROCESSING' || status === 'ABNORMAL' || platform.virtual.refunds.get(no)?.status === 5
  })
  const no = choose(open, index)?.no
  if (no === undefined) return
  const refund = platform.refunds.get(no)
  if (!refund) return inSilence(visit, () => platform.endVirtualRefund(no, as === 'SUCCESS' ? as : 'FAILED'))
  refund.status = as
  refund.succeededAt = as === 'SUCCESS' ? new Date(visit.shop.now()) : null
}

/** Something that the platform would tell of by a push: nobody hears of it until somebody pushes. */
async function inSilence({ shop }: Visit, act: () => Promise<unknown>): Promise<void> {
  shop.platform.usePush(null)
  const acting = act()
  shop.platform.usePush({ url: shop.pushUrl })
  await acting
}

export async function refundByApple(visit: Visit, index: number): Promise<void> {
  const paid = visit.account.orders.flatMap(({ no }) =>
    sheetsOf(visit, no).filter(({ sheet }) => sheet.byApple && sheet.leftFen > 0),
  )
  const chosen = choose(paid, index)
  if (chosen) await inSilence(visit, () => visit.shop.platform.refundByApple(chosen.sheet.number))
}

/** Who can be paid at this moment, and under which number the platform is asked about it. */
function payableNow(visit: Visit): { order: Order; number: string }[] {
  const waiting = visit.account.orders.filter(
    (order) => isUnpaid(order) && order.expiresAt > visit.shop.now(),
  )
  return waiting.flatMap((order) => {
    if (order.channel === 'jsapi')
      return platformOrder(visit, order.no)?.state === 'NOTPAY' ? [{ order, number: order.no }] : []
    const openHere = new Set(
      attemptsOf(visit, order.no).flatMap(({ number, state }) => (state === 'open' ? [number] : [])),
    )
    const sheet = sheetsOf(visit, order.no).findLast(({ sheet: one }) => isOpen(one))?.sheet
    return sheet && openHere.has(sheet.number) && paymentsThere(visit, order).length === 0
      ? [{ order, number: sheet.number }]
      : []
  })
}

/**
 * The payer presses "pay" while the order is being closed: after we asked, before we close. Virtual payment knows no
 * close call, so that the order is closed here and its attempt is watched; the answer says how it went.
 */
export function racing(visit: Visit, { order: index, on }: { order: number; on: Which }): Call | null {
  const { platform } = visit.shop
  const chosen = choose(payableNow(visit), index)
  if (!chosen) return null
  const { order, number } = chosen
  const cancel = cancelling(visit, order, on)
  const isVirtual = order.channel === 'virtual'
  return {
    ...cancel,
    make: async () => {
      const at = isVirtual ? 'xpay' : 'query'
      platform.faults.add({ kind: 'delay', at, outTradeNo: number, ms: 40, times: 1 })
      const answer = cancel.make()
      let answered = false
      const note = () => {
        answered = true
      }
      answer.then(note, note)
      while (platform.faults.rules.length > 0 && !answered) await scheduler.wait(1)
      if (isVirtual) await unlessRefused(platform.paySheet(number, { silent: true }))
      else await payOn(visit, order.no, { silent: true })
      return answer
    },
    effects: (outcome) => {
      const effects = cancel.effects(outcome)
      const closedHere: Effect[] = [{ is: 'closed', certain: true, no: order.no }]
      return isVirtual && outcome.answer === 'done' && !outcome.failed ? closedHere : effects
    },
  }
}
