import { openDatabase } from '@meridian/db'
import { assertDisposable } from '@meridian/db/testing'
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

/** Real purchases through the public contract, then moved apart in time so that they fill a week. */
export async function playBusyWeek(databaseUrl: string): Promise<void> {
  for (let customer = 0; customer < customers; customer += 1) {
    const phone = await unlockPhone()
    await act(phone, deeds[customer % deeds.length] ?? deeds[0])
    if (customer % 5 === 0) await phone.binds(`MER-${String(customer).padStart(4, '0')}`)
    if (customer % 7 === 0) await phone.scans()
  }
  assertDisposable(databaseUrl)
  await using database = openDatabase(databaseUrl, {
    applicationName: 'meridian-screenshots',
    maxConnections: 1,
  })
  await database.pool.query(spreadOverAWeek)
}

async function act(phone: Phone, { plan, ends }: (typeof deeds)[number]): Promise<void> {
  const purchase = await phone.buys(plan)
  if (ends === 'pays') await phone.pays(purchase)
  if (ends === 'cancels') await phone.cancels(purchase)
}

// The database itself refuses to rewrite history; here, where all is thrown away, its triggers are put to sleep.
const spreadOverAWeek = `
  BEGIN;
  SET LOCAL session_replication_role = replica;
  WITH shifts AS (
    SELECT id, (interval '7 days' * (max(id) OVER () - id) / (max(id) OVER () - min(id) OVER () + 1))
             + interval '11 minutes' + interval '7 minutes' * (id % 5) AS shift
      FROM orders)
  UPDATE orders o
     SET created_at = o.created_at - s.shift, expires_at = o.expires_at - s.shift,
         paid_at = o.paid_at - s.shift + interval '41 seconds', closed_at = o.closed_at - s.shift + interval '9 minutes'
    FROM shifts s WHERE s.id = o.id;
  COMMIT`
