import type { Page } from '@playwright/test'
import { findSandbox, playMonth } from '../demo/index.ts'
import { Staff } from '../demo/staff.ts'
import { ask } from '../support/database.ts'
import { expect, test } from '../support/journey.ts'
import { fact, signIn } from '../support/operator.ts'
import { runToEnd } from '../support/start-process.ts'
import { type StartedWorld, startWorld } from '../support/start-world.ts'
import { within, world } from '../support/world.ts'

/** The desk opens with the orders on hold: where there is none, it says that alerts are open instead of a tick. */
async function opensDeskWithoutOrders(page: Page): Promise<void> {
  await ask(`UPDATE orders SET parked = false, park_reason = NULL WHERE parked`)
  await ask(`INSERT INTO alerts (kind, subject) VALUES ('clock_skewed', 'beside')`)
  await page.goto(`${world().consoleUrl}/alerts`)
  await page.getByRole('link', { name: '查看未解决告警' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'beside' })).toBeVisible()
}

/** No rule of the stored data is broken; both channels are paid, somebody's name is Chinese, and the change of a policy waits or has been made. */
async function expectVariety({ world }: StartedWorld): Promise<void> {
  const [shop] = await within(world, () =>
    ask<{ channels: string[]; named: boolean; guarded: boolean; violated: boolean }>(
      `SELECT array_agg(DISTINCT channel::text ORDER BY channel::text) AS channels,
         EXISTS (SELECT FROM users WHERE nickname ~ '^[一-龥]+$') AS named,
         EXISTS (SELECT FROM alerts WHERE kind = 'threshold_changed') AS guarded,
         EXISTS (SELECT FROM alerts WHERE kind = 'invariant_violated') AS violated
       FROM orders WHERE paid_at IS NOT NULL`,
    ),
  )
  expect(shop).toEqual({ channels: ['jsapi', 'virtual'], named: true, guarded: true, violated: false })
}

const verifyLedger = ({ world }: StartedWorld) =>
  runToEnd('apps/api/dist/commands/verify-ledger.js', {
    env: {
      DATABASE_URL: world.databaseUrl,
      WECHAT_PAY_BASE_URL: world.sandboxUrl,
      WECHAT_API_BASE_URL: world.sandboxUrl,
    },
  })

test('a few days are played by phones and operators, the ledger is right and the overview is full', async ({
  browser,
}) => {
  const own = await startWorld({ withJobs: true })
  try {
    const { apiUrl, operators } = own.world
    const lines: string[] = []
    const { tally, refusals } = await playMonth({
      ...{ users: 8, days: 4, seed: 34 },
      sandbox: await findSandbox(own.world),
      api: { apiUrl, authSecret: own.authSecret },
      staff: Staff.parse(operators),
      say: (line) => lines.push(line),
    })
    expect([...refusals]).toEqual([])
    expect(tally.get('bought')).toBeGreaterThan(1)
    expect(tally.get('gifts')).toBeGreaterThan(0)
    expect(tally.get('tags')).toBeGreaterThan(0)
    expect(tally.get('notes')).toBeGreaterThan(0)
    expect(lines).toHaveLength(5)
    await expectVariety(own)
    expect(await verifyLedger(own)).toContain('0 differ, 0 grants of another platform')

    const page = await browser.newPage({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })
    await within(own.world, () => signIn(page, 'owner'))
    await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
    await expect(fact(page, '近 7 天净收入')).toContainText(/¥[1-9]/)
    const steps = page.getByRole('region', { name: '从扫描到订阅' }).getByRole('listitem')
    for (const name of ['扫描', '下单'])
      await expect(steps.filter({ hasText: name }).first()).toContainText(/[1-9]/)
    await within(own.world, () => opensDeskWithoutOrders(page))
  } finally {
    await own.stop()
  }
})

test('nothing is played where no sandbox runs', async () => {
  const nobody = { sandboxUrl: 'http://127.0.0.1:9', apiUrl: 'http://127.0.0.1:9' }
  await expect(findSandbox(nobody)).rejects.toThrow('No sandbox runs at http://127.0.0.1:9')
})
