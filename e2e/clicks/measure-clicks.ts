import { chromium, type Page } from '@playwright/test'
import { findBrowser } from '../support/find-browser.ts'
import { type Act, traceAct } from './trace-act.ts'
import { watchNetwork } from './watch-network.ts'

/** What whoever starts this has prepared. */
type Asked = {
  consoleUrl: string
  email: string
  password: string
  rounds: number
  /** Where in the list of orders the deep page begins. */
  deepCursor: string
  /** An order to look for by its number, which no list on the way shows. */
  outTradeNo: string
}

type Taken = { ms: number[]; bytes: number[] }

const asked: Asked = JSON.parse(process.env['MEASURE_CLICKS'] ?? '{}')
let round = 0
const rowsAreShown = () => document.querySelector('tbody a') !== null
const otherRowsAreShown = (before: string) => {
  const first = document.querySelector('tbody a')?.getAttribute('href') ?? null
  return first !== null && first !== before
}
const timelineIsShown = () =>
  document.querySelector('ol[aria-label="时间线"] li, ul[aria-label="时间线"] li') !== null

const arriveAt = (path: string) => async (page: Page) => {
  await page.goto(`${asked.consoleUrl}${path}`)
  await page.locator('main h1').first().waitFor()
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(() => idle(null))))
}
/** As long as somebody looks at a page before they press. */
const look = () => network.quiet()
const goTo = (path: string) => async (page: Page) => {
  await arriveAt(path)(page)
  await look()
}
const orderLink = (page: Page) => page.locator('tbody a[href^="/orders/"]').nth(round % 20)
const nextPage = (page: Page) => page.getByRole('button', { name: '下一页' }).click()
const menuLink = (page: Page) => page.getByRole('navigation').getByRole('link', { name: '订单', exact: true })

/** Opens an order of the list that is shown then. */
const opening = (name: string, prepare: Act['prepare']): Act => ({
  name,
  prepare,
  act: (page) => orderLink(page).click(),
  begins: 'click',
  shown: timelineIsShown,
})

const acts: readonly Act[] = [
  {
    name: 'orders, loaded whole',
    prepare: goTo('/account'),
    act: async (page) => void (await page.goto(`${asked.consoleUrl}/orders`, { waitUntil: 'commit' })),
    begins: 'navigation',
    shown: rowsAreShown,
  },
  {
    name: 'orders, from the menu',
    prepare: goTo('/account'),
    act: (page) => menuLink(page).click(),
    begins: 'click',
    shown: rowsAreShown,
  },
  {
    name: 'next page of the orders',
    prepare: look,
    act: nextPage,
    begins: 'click',
    shown: otherRowsAreShown,
  },
  {
    name: 'page 10,001, from page 10,000',
    prepare: goTo(`/orders?cursor=${asked.deepCursor}`),
    act: nextPage,
    begins: 'click',
    shown: otherRowsAreShown,
  },
  {
    name: 'orders that are paid',
    prepare: goTo('/orders'),
    act: (page) =>
      page.getByRole('navigation', { name: '按状态筛选' }).getByRole('link', { name: '已支付' }).click(),
    begins: 'click',
    shown: otherRowsAreShown,
  },
  opening('an order of the list', goTo('/orders?status=paid')),
  opening('an order seen before', async (page) => {
    await page.goBack()
    await page.locator('tbody a').first().waitFor()
  }),
  opening('an order pressed as soon as the list is there', arriveAt('/orders?status=closed')),
  {
    name: 'an order by its number, from anywhere',
    prepare: async (page) => {
      await goTo('/account')(page)
      await page.keyboard.press('Control+K')
      await page.getByRole('dialog').getByRole('combobox').fill(asked.outTradeNo)
    },
    act: (page) => page.keyboard.press('Enter'),
    begins: 'keydown',
    shown: timelineIsShown,
  },
]

const browser = await chromium.launch(await findBrowser())
const page = await browser.newPage({
  locale: 'zh-CN',
  timezoneId: 'Asia/Shanghai',
  viewport: { width: 1440, height: 900 },
})
const network = await watchNetwork(page)
await page.goto(`${asked.consoleUrl}/sign-in`)
await page.getByLabel('邮箱').fill(asked.email)
await page.getByLabel('密码', { exact: true }).fill(asked.password)
await page.getByRole('button', { name: '登录', exact: true }).click()
await page.getByRole('heading', { name: '总览', level: 1 }).waitFor()
const taken = new Map(acts.map(({ name }): [string, Taken] => [name, { ms: [], bytes: [] }]))
for (round = -1; round < asked.rounds; round += 1) {
  for (const act of acts) {
    await act.prepare(page)
    const before = network.received()
    const ms = await traceAct(browser, page, act)
    await look()
    if (round < 0) continue
    taken.get(act.name)?.ms.push(ms)
    taken.get(act.name)?.bytes.push(network.received() - before)
  }
}
await browser.close()
console.log(JSON.stringify(Object.fromEntries(taken)))
