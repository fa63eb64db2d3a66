import type { Page } from '@playwright/test'
import { plantedEndpoint } from './plant-developers.ts'
import { untilAlive } from './until-alive.ts'

/** A page of the console: how one gets there, and what it is called in docs/images/console. */
type Shown = { name: string; path: string; open?: (page: Page) => Promise<void> }

/** Opens what the first row that leads anywhere leads to: above a list, what waits may stand in a table too. */
const firstRow = async (page: Page) => {
  const link = page.getByRole('table').locator('tbody a').first()
  await link.click()
  await page.waitForURL((url) => url.pathname.split('/').length > 2)
}

const list = (name: string): Shown => ({ name, path: `/${name}` })
const detail = (name: string, of: string): Shown => ({ name, path: `/${of}`, open: firstRow })

/** Every page of the console, lists before what they lead to. */
export const consolePages: readonly Shown[] = [
  list('dashboard'),
  { name: 'inbox', path: '/inbox?view=all' },
  list('orders'),
  detail('order', 'orders?status=paid'),
  {
    name: 'receipt',
    path: '/orders?status=paid',
    open: async (page) => {
      await firstRow(page)
      await page.locator('main a[href$="/receipt"]').click()
      await page.waitForURL(/\/receipt$/)
    },
  },
  list('subscriptions'),
  detail('subscription', 'subscriptions'),
  list('plans'),
  detail('plan', 'plans'),
  list('users'),
  detail('user', 'users'),
  list('devices'),
  detail('device', 'devices'),
  { name: 'device-import', path: '/devices/import' },
  { name: 'imports', path: '/developers/imports' },
  list('reports'),
  detail('report', 'reports'),
  list('diagnosis'),
  list('refunds'),
  detail('refund', 'refunds'),
  { name: 'apple-inquiries', path: '/refunds/inquiries' },
  list('alerts'),
  detail('alert', 'alerts?view=alerts'),
  { name: 'alert-channels', path: '/alerts/channels' },
  list('approvals'),
  list('reconciliation'),
  detail('reconciliation-day', 'reconciliation'),
  detail('difference', 'reconciliation?view=differences'),
  list('finance'),
  list('revenue'),
  list('shipping'),
  list('notifications'),
  detail('notification', 'notifications'),
  list('settings'),
  list('exports'),
  list('tags'),
  list('developers'),
  { name: 'webhooks', path: '/developers/webhooks' },
  { name: 'webhook', path: `/developers/webhooks/${plantedEndpoint}` },
  {
    name: 'webhook-delivery',
    path: `/developers/webhooks/${plantedEndpoint}?state=given_up`,
    open: async (page) => {
      await page.getByRole('table').locator('tbody a').first().click()
      await page.waitForURL(/\/deliveries\//)
    },
  },
  list('jobs'),
  list('keys'),
  list('audit'),
  detail('audit-entry', 'audit'),
  list('staff'),
  detail('staff-member', 'staff'),
  list('account'),
  list('getting-started'),
]

/** Goes to a page and waits until it shows what it has to show. */
export async function show(page: Page, consoleUrl: string, { path, open }: Shown): Promise<void> {
  await page.goto(`${consoleUrl}${path}`)
  await settle(page)
  if (!open) return
  await open(page)
  await settle(page)
}

/** Waits until the page shows what it has to show. */
export async function settle(page: Page): Promise<void> {
  await untilAlive(page)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"], [data-waiting]') === null)
}
