import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, chromium } from '@playwright/test'
import { consolePages, show } from '../support/console-pages.ts'
import { findBrowser } from '../support/find-browser.ts'
import { signIn } from '../support/operator.ts'
import { startWorld } from '../support/start-world.ts'
import { announceWorlds } from '../support/world.ts'
import { startTemplates } from '../support/world-templates.ts'
import { leaveTraces } from './leave-traces.ts'
import { nameCustomers, playBusyWeek } from './play-busy-week.ts'

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url))
type Look = { language: 'zh-CN' | 'en'; theme: 'light' | 'dark' }
const looks: readonly Look[] = [
  { language: 'zh-CN', theme: 'light' },
  { language: 'en', theme: 'dark' },
]
const viewport = { width: 1440, height: 900 }

/** Draws the pictures of the README from production builds, with a week of ordinary business in the database. */
async function takeScreenshots(): Promise<void> {
  mkdirSync(images, { recursive: true })
  const stopTemplates = await startTemplates()
  try {
    await inWorldOfItsOwn()
  } finally {
    await stopTemplates()
  }
}

async function inWorldOfItsOwn(): Promise<void> {
  const { world, stop } = await startWorld()
  announceWorlds([world])
  const browser = await chromium.launch(await findBrowser())
  try {
    await playBusyWeek()
    const context = await browser.newContext({ viewport, locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })
    await prepareConsole(context)
    await takePhone(context, world.sandboxUrl)
    for (const look of looks) await takePages(context, { look, consoleUrl: world.consoleUrl })
  } finally {
    await browser.close()
    await stop()
  }
}

/** Signs the owner in and leaves something for each desk to show. */
async function prepareConsole(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await signIn(page, 'owner')
  await page.getByRole('heading', { name: '总览', level: 1 }).waitFor()
  await leaveTraces(page)
  await nameCustomers()
  await page.close()
}

/** Every page of the console in one look. A page that cannot be drawn does not keep the others from it. */
async function takePages(
  context: BrowserContext,
  { look, consoleUrl }: { look: Look; consoleUrl: string },
): Promise<void> {
  await context.addCookies([
    { name: 'meridian.language', value: look.language, url: consoleUrl },
    { name: 'meridian.theme', value: look.theme, url: consoleUrl },
  ])
  const page = await context.newPage()
  for (const wanted of consolePages) {
    const path = `${images}console/${wanted.name}-${look.language}-${look.theme}.png`
    try {
      await show(page, consoleUrl, wanted)
      await page.screenshot({ path })
    } catch (error) {
      process.exitCode = 1
      console.error(`${wanted.name} (${look.language}, ${look.theme}) was not drawn:`, error)
    }
  }
  await page.close()
}

async function takePhone(context: BrowserContext, sandboxUrl: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(sandboxUrl)
  await page.getByRole('radio', { name: /年度会员/ }).check()
  await page.getByRole('button', { name: '登录并支付' }).click()
  await page.getByRole('button', { name: /^支付 ¥/ }).click()
  await page.getByRole('button', { name: '完成' }).click()
  await page.getByRole('radio', { name: /季度会员/ }).check()
  await page.getByRole('button', { name: '立即支付' }).click()
  await page.getByRole('button', { name: /^支付 ¥/ }).waitFor()
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
  await page.screenshot({ path: `${images}phone.png` })
}

await takeScreenshots()
