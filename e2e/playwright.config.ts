import { defineConfig } from '@playwright/test'
import type { Browser } from './support/find-browser.ts'

/** Found by the global set-up, before the processes start that open it. */
const browser: Browser = JSON.parse(process.env['MERIDIAN_E2E_BROWSER'] ?? '{}')

const ci = process.env['CI'] !== undefined

export default defineConfig({
  testDir: 'journeys',
  testMatch: '**/*.e2e.ts',
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
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1280, height: 860 },
    trace: ci ? 'on-first-retry' : 'off',
    screenshot: 'only-on-failure',
  },
})
