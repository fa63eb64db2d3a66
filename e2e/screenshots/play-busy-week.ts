import { ask } from '../support/database.ts'
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

const [families, givens] = [
  '林王李张刘陈杨黄周吴徐孙',
  ['晓', '子涵', '雨桐', '浩然', '思远', '一诺', '梓萱'],
]

/** What the mini-program would have sent of their profile: most people have given themselves a name. */
export const nameCustomers = () =>
  ask(
    `UPDATE users SET nickname = substr($1, 1 + (n % length($1))::int, 1) || (string_to_array($2, ' '))[1 + n % 7]
     FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS n FROM users) named
     WHERE named.id = users.id AND n % 8 <> 0`,
    [families, givens.join(' ')],
  )

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
