import { passTime } from '../support/pass-time.ts'
import { type Phone, unlockPhone } from '../support/phone.ts'

// What ordinary people do: most pay, some hesitate, some change their minds.
const deeds = [
  { plan: 'yearly', ends: 'pays' },
  { plan: 'monthly', ends: 'pays' },
  { plan: 'quarterly', ends: 'pays' },
  { plan: 'monthly', ends: 'cancels' },
  { plan: 'quarterly', ends: 'pays' },
  { plan: 'monthly', ends: 'pays' },
  { plan: 'monthly', ends: 'waits' },
  { plan: 'yearly', ends: 'pays' },
  { plan: 'quarterly', ends: 'cancels' },
] as const

const customers = 46

/** Between one customer and the next, so that all of them fill a week. */
const hoursBetween = (7 * 24) / customers

/** Real purchases through the public contract, spread over a week. */
export async function playBusyWeek(): Promise<void> {
  for (let customer = 0; customer < customers; customer += 1) {
    const phone = await unlockPhone()
    await act(phone, deeds[customer % deeds.length] ?? deeds[0])
    if (customer % 5 === 0) await phone.binds(`MER-${String(customer).padStart(4, '0')}`)
    if (customer % 7 === 0) await phone.scans()
    await passTime({ hours: hoursBetween })
  }
}

async function act(phone: Phone, { plan, ends }: (typeof deeds)[number]): Promise<void> {
  const purchase = await phone.buys(plan)
  if (ends === 'pays') await phone.pays(purchase)
  if (ends === 'cancels') await phone.cancels(purchase)
}
