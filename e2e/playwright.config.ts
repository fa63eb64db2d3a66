import { defineConfig } from '@playwright/test'
import { type Browser, findBrowser } from './support/find-browser.ts'

/** Found once by the process that is asked first; its workers inherit the answer. */
async function browserOrEnd(): Promise<Browser> {
  const found = process.env['MERIDIAN_E2E_BROWSER']
  if (found !== undefined) return JSON.parse(found)
  try {
    const browser = await findBrowser()
    process.env['MERIDIAN_E2E_BROWSER'] = JSON.stringify(browser)
    return browser
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

const ci = process.env['CI'] !== undefined

export default defineConfig({
  testDir: 'journeys',
  testMatch: '**/*.e2e.ts',
  outputDir: '../.data/test/e2e',
  globalSetup: './global-setup.config.ts',
  // The weather of the one platform is everybody's weather.
  workers: 1,
  retries: ci ? 1 : 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  use: {
    launchOptions: await browserOrEnd(),
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1280, height: 860 },
    trace: ci ? 'on-first-retry' : 'off',
    screenshot: 'only-on-failure',
  },
})
