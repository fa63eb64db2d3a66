import { openPool } from '@meridian/db'
import { cloneDatabase } from '@meridian/db/testing'
import { type Notification, startPlatform } from '@meridian/payments/testing'
import { expect, test } from 'vitest'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { startApi } from '../world/api-process.ts'
import { Phone } from '../world/phone.ts'
import { platformKeys } from '../world/platform-keys.ts'
import { queuedJobs } from '../world/queued-jobs.ts'
import { untilWaiting } from '../world/until-waiting.ts'
import { useOpened } from '../world/use-opened.ts'

/** Two API processes on one database, as two replicas are. */
async function openReplicas() {
  const [database, platform] = await Promise.all([cloneDatabase(), startPlatform({ keys: platformKeys() })])
  const start = () =>
    startApi({ platform, databaseUrl: database.databaseUrl, more: { MERIDIAN_ROLE: 'api' } })
  const [one, other] = await Promise.all([start(), start()])
  const pool = openPool(database.databaseUrl)
  const deliverTo = (url: string, { headers, body }: Notification) =>
    fetch(`${url}/api/v1/payment/notify`, { method: 'POST', headers, body })
  const readAll = async <Row extends object>(sql: string, values: unknown[]) =>
    (await pool.query<Row>(sql, values)).rows
  return {
    platform,
    pool,
    urls: [one.url, other.url] as const,
    grantsOf: (openid: string) =>
      readAll<{ seq: number; days: number }>(
        'SELECT seq, days FROM grants WHERE user_id = (SELECT id FROM users WHERE openid = $1) ORDER BY seq',
        [openid],
      ),
    deliveriesOf: (outTradeNo: string) =>
      readAll<{ outcome: string; deliveries: number }>(
        'SELECT outcome::text, deliveries FROM notifications WHERE out_trade_no = $1',
        [outTradeNo],
      ),
    /** The ledger of everybody who has one is sound. */
    expectSoundLedger: async () => {
      const people = await readAll('SELECT 1 FROM subscriptions', [])
      expect(people.length).toBeGreaterThan(0)
      expect(await verifyLedger(pool)).toEqual({ checked: people.length, differences: [] })
    },
    phone: (openid: string) => Phone.logIn(one.url, platform, openid),
    deliverTo,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([one.stop(), other.stop()])
      await pool.end()
      await platform.stop()
      await database.drop()
    },
  }
}

const replicas = useOpened(openReplicas)

test('one notification a hundred times at once over two processes grants its days once', async () => {
  const { platform, pool, urls, deliverTo } = replicas
  const phone = await replicas.phone('o-a-hundred-times')
  const purchase = await phone.buys('monthly')
  const outTradeNo = purchase.order.out_trade_no
  await phone.pays(purchase, { silent: true })
  const notification = platform.notification(outTradeNo, { id: 'EV-hundred' })

  let sent = 0
  /** As the platform does: who is told 503, because the door's time ran out, sends again. */
  const deliver = async (url: string): Promise<number> => {
    sent += 1
    const { status } = await deliverTo(url, notification)
    return status === 503 ? deliver(url) : status
  }
  const statuses = await Promise.all(
    Array.from({ length: 100 }, (_, index) => deliver(urls[index % 2 === 0 ? 0 : 1])),
  )

  expect(new Set(statuses)).toEqual(new Set([204]))
  expect((await phone.subscription()).remaining_days).toBe(30)
  expect(await replicas.grantsOf(phone.openid)).toMatchObject([{ days: 30 }])
  const inbox = await replicas.deliveriesOf(outTradeNo)
  expect(inbox).toMatchObject([{ outcome: 'applied' }])
  expect(inbox[0]?.deliveries).toBeGreaterThanOrEqual(100)
  expect(inbox[0]?.deliveries).toBeLessThanOrEqual(sent)
  const { rows: jobs } = await pool.query(
    `SELECT 1 FROM ${queuedJobs} WHERE job = 'follow_payment' AND payload ->> 'outTradeNo' = $1`,
    [outTradeNo],
  )
  expect(jobs).toHaveLength(1)
})

test('notifications and syncs of three orders of one user, all at once, stack their days without a gap', async () => {
  const { platform, urls, deliverTo } = replicas
  const phone = await replicas.phone('o-stacking')
  const elsewhere = new Phone(`${urls[1]}/api/v1`, { openid: phone.openid, platform, tokens: phone.tokens })
  const orders: string[] = []
  for (const plan of ['monthly', 'quarterly', 'yearly']) {
    const purchase = await phone.buys(plan, `key-${plan}`)
    await phone.pays(purchase, { silent: true })
    orders.push(purchase.order.out_trade_no)
  }

  await Promise.all(
    orders.flatMap((outTradeNo) => [
      ...Array.from({ length: 8 }, (_, copy) =>
        deliverTo(
          urls[copy % 2 === 0 ? 0 : 1],
          platform.notification(outTradeNo, { id: `EV-${outTradeNo}-${copy % 4}` }),
        ),
      ),
      phone.syncs(outTradeNo),
      elsewhere.syncs(outTradeNo),
    ]),
  )

  expect((await phone.subscription()).remaining_days).toBe(30 + 90 + 365)
  const grants = await replicas.grantsOf(phone.openid)
  expect(grants.map(({ seq }) => seq)).toEqual([1, 2, 3])
  expect(grants.map(({ days }) => days).sort((a, b) => a - b)).toEqual([30, 90, 365])
  await replicas.expectSoundLedger()
})

test('eight orders of one user paid in the same instant write eight grants, each from the end of the one before', async () => {
  const { platform, pool, urls, deliverTo } = replicas
  const phone = await replicas.phone('o-eight')
  const orders: string[] = []
  for (let count = 0; count < 8; count++) {
    const purchase = await phone.buys('monthly', `key-${count}`)
    await phone.pays(purchase, { silent: true })
    orders.push(purchase.order.out_trade_no)
  }
  const notifications = orders.map((outTradeNo) => platform.notification(outTradeNo))
  // Every connection that two replicas have for payers waits at the subscription's row, and is let go at once.
  const gate = await pool.connect()
  await gate.query('BEGIN')
  await gate.query('SELECT 1 FROM subscriptions FOR UPDATE')
  const answers = notifications.map((notification, index) =>
    deliverTo(urls[index % 2 === 0 ? 0 : 1], notification),
  )
  await untilWaiting({ query: async (sql) => (await pool.query(sql)).rows }, 8)
  await gate.query('COMMIT')
  gate.release()

  // A machine that was slow to let them go has told some of them to repeat.
  await Promise.all(answers)
  for (const notification of notifications)
    await expect.poll(async () => (await deliverTo(urls[0], notification)).status).toBe(204)
  expect((await phone.subscription()).remaining_days).toBe(240)
  await replicas.expectSoundLedger()
})
