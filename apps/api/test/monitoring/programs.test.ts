import { randomUUID } from 'node:crypto'
import { openPool } from '@meridian/db'
import { cloneDatabase } from '@meridian/db/testing'
import { startPlatform } from '@meridian/payments/testing'
import { expect, test } from 'vitest'
import { startApi } from '../world/api-process.ts'
import { Phone } from '../world/phone.ts'
import { platformKeys } from '../world/platform-keys.ts'

// Two minutes on a machine that has time; a busy one may take longer.
const toldWithin = { timeout: 240_000, interval: 500 }

test('programs with a wrong API v3 key, with a wrong merchant serial and without a worker tell so by themselves', {
  timeout: 300_000,
}, async () => {
  const platform = await startPlatform({ keys: platformKeys() })
  const database = await cloneDatabase()
  const pool = openPool(database.databaseUrl)
  const start = (more: Record<string, string>) =>
    startApi({ platform, databaseUrl: database.databaseUrl, more: { MERIDIAN_ROLE: 'api', ...more } })
  const [deaf, nameless] = await Promise.all([
    start({ WECHAT_PAY_API_V3_KEY: 'not the key of this merchant 012' }),
    start({ WECHAT_PAY_MERCHANT_SERIAL_NO: '7777777777777777777777777777777777777777' }),
  ])
  await pool.query(`SELECT graphile_worker.add_job('forget_old', '{}', run_at => now() - interval '1 hour')`)
  for (let turn = 0; turn < 3; turn++) {
    const paying = await Phone.logIn(deaf.url, platform, `o${randomUUID()}`)
    const deliveries = await paying.pays(await paying.buys(), { once: true })
    expect(deliveries).toMatchObject([{ status: 400 }])
    const failing = await Phone.logIn(nameless.url, platform, `o${randomUUID()}`)
    expect((await failing.purchaseAnswer('monthly')).status).toBe(502)
  }
  const open = async () => {
    const { rows } = await pool.query<{ kind: string }>(
      'SELECT DISTINCT kind FROM alerts WHERE resolved_at IS NULL ORDER BY kind',
    )
    return rows.map(({ kind }) => kind)
  }
  const told = ['notifications_refused', 'prepay_failing', 'workers_silent']
  await expect.poll(open, toldWithin).toEqual(expect.arrayContaining(told))
  const { rows } = await pool.query(
    'SELECT DISTINCT kind FROM alerts WHERE times > 3 OR resolved_at IS NOT NULL',
  )
  expect(rows).toEqual([])
  await Promise.all([deaf.stop(), nameless.stop()])
  await pool.end()
  await platform.stop()
  await database.drop()
})
