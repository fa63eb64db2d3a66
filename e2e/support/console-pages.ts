import type { Page } from '@playwright/test'
import { plantedEndpoint } from './plant-developers.ts'
import { untilAlive } from './until-alive.ts'
import { untilQuiet, watchRequests } from './until-quiet.ts'
import { world } from './world.ts'

/** A page of the console: how one gets there, what is drawn last, and what it is called in docs/images/console. */
export type Shown = { name: string; path: string; open?: (page: Page) => Promise<void>; drawn?: string }

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
  { ...list('dashboard'), drawn: '.recharts-surface' },
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
  { ...detail('report', 'reports'), drawn: 'svg path.recharts-line-curve' },
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
  {
    name: 'staff-member',
    path: '/staff',
    // A colleague, on whose account one may act: the first is who looks.
    open: async (page) => {
      await page.getByRole('link', { name: world().operators.viewer.email }).click()
      await page.waitForURL(/\/staff\/./)
    },
  },
  list('account'),
  list('getting-started'),
]

/** Goes to a page and waits until it shows what it has to show. */
export async function show(page: Page, consoleUrl: string, shown: Shown): Promise<void> {
  watchRequests(page)
  await page.goto(`${consoleUrl}${shown.path}`)
  await goOn(page, shown)
}

/** Goes on from the address of a page to the page, and waits until it shows what it has to show. */
export async function goOn(page: Page, { open, drawn }: Omit<Shown, 'name' | 'path'>): Promise<void> {
  await settle(page)
  if (open) {
    await open(page)
    await settle(page)
  }
  if (drawn) await page.locator(drawn).first().waitFor()
}

/** Waits until the page shows what it has to show. */
export async function settle(page: Page): Promise<void> {
  await untilAlive(page)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await untilQuiet(page)
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"], [data-waiting]') === null)
}
