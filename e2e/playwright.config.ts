import { existsSync } from 'node:fs'
import { type BrowserContextOptions, defineConfig } from '@playwright/test'
import { deep } from './support/deep.ts'
import type { Browser } from './support/find-browser.ts'

/** Found by the global set-up, before the processes start that open it. */
const browser: Browser = JSON.parse(process.env['MERIDIAN_E2E_BROWSER'] ?? '{}')

/** Begun last, one of these would run on alone while the other processes have nothing left to do. */
const longest = [
  'every-page',
  'every-dialog',
  'time-passes',
  'getting-started',
  'roles',
  'needs-you',
  'webhooks',
  'exports',
  'virtual-operations',
  'company-sign-in',
  'company-sign-in-looks',
  'demo',
  'alerts',
  'lost-notification',
  'subscriptions',
  'second-factor',
  'virtual-purchase',
].map((name) => `journeys/${name}.e2e.ts`)
const gone = longest.filter((file) => !existsSync(new URL(file, import.meta.url)))
if (gone.length > 0) throw new Error(`no such journeys: ${gone.join(', ')}`)
const longestFiles = longest.map((file) => `**/${file}`)

/** Animations are off but in the deep run: drawing them takes a sixth of the browsers' processor time. */
const contextOptions: BrowserContextOptions = { reducedMotion: deep ? 'no-preference' : 'reduce' }

const ci = process.env['CI'] !== undefined

export default defineConfig({
  testDir: 'journeys',
  // In the order in which they are begun.
  projects: [
    { name: 'longest', testMatch: longestFiles },
    { name: 'others', testMatch: '**/*.e2e.ts', testIgnore: longestFiles },
  ],
  outputDir: '../.data/test/e2e',
  globalSetup: './global-setup.config.ts',
  // Each has a platform of its own: its faults are everybody's faults. Journeys wait for their pages, so that a third one
  // uses what two leave of two cores.
  workers: 3,
  retries: ci ? 1 : 0,
  // A machine may stand still for a while, under all processes at once: only what never comes has failed.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  use: {
    launchOptions: browser,
    contextOptions,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1280, height: 860 },
    trace: ci ? 'on-first-retry' : 'off',
    screenshot: 'only-on-failure',
  },
})
