import type { Page } from '@playwright/test'
import { countPresses } from '../support/count-presses.ts'
import { ask } from '../support/database.ts'
import { fillRefund } from '../support/fill-refund.ts'
import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { orderPath, signIn } from '../support/operator.ts'
import { phonePanel } from '../support/phone-panel.ts'
import { holdPhone } from '../support/phone-screen.ts'
import { startWorld } from '../support/start-world.ts'
import { within, world } from '../support/world.ts'

test.setTimeout(600_000)

const step = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })
const isDone = (page: Page, title: string) => expect(step(page, title)).toContainText(/已完成/)

/** The first step that is open is done with two clicks, one at the desk and one on the phone page that it opens. */
async function takesFirstStep(desk: Page): Promise<Page> {
  const atDesk = await countPresses(desk)
  const link = step(desk, '第一位用户登录').getByRole('link', { name: '打开手机页面' })
  const [phone] = await Promise.all([desk.context().waitForEvent('page'), link.click()])
  await expect(phone).toHaveURL(`${world().sandboxUrl}/`)
  const onPhone = await countPresses(phone)
  await phone.getByRole('button', { name: '微信登录' }).click()
  await isDone(desk, '第一位用户登录')
  for (const pressed of [atDesk, onPhone])
    await expect.poll(pressed).toEqual({ clicks: 1, keys: 0, characters: 0 })
  return phone
}

/** What a first user does on the phone page: pays, and pays while the notification is lost. */
async function sellsOnPhone(page: Page, desk: Page): Promise<string> {
  const screen = holdPhone(page)
  await screen.buys('月度会员')
  // From the first sale on the overview has figures, and the checklist says above them what comes next.
  await expect(desk.getByRole('region', { name: '收入' })).toBeVisible()
  await expect(desk.getByRole('heading', { name: '下一步 · 丢失的通知自动补上' })).toBeVisible()
  await phonePanel(page).suffers('支付通知', '丢失')
  const outTradeNo = await screen.buys('季度会员')
  await expect(desk.getByRole('heading', { name: '下一步 · 一笔退款成功' })).toBeVisible()
  const panel = page.getByRole('complementary', { name: '沙箱控制台' })
  const link = panel.getByRole('link', { name: outTradeNo }).first()
  await expect(link).toHaveAttribute('href', orderPath(outTradeNo))
  await phonePanel(page).recovers('支付通知', '丢失')
  return outTradeNo
}

/** Where nothing was sold yet one click does it; what is then played is a journey of its own. */
async function fillsWithSamples(page: Page): Promise<void> {
  await expect(page.getByRole('region', { name: '示例数据' })).toContainText('所有人都会退出登录')
  await page.getByRole('button', { name: '写入示例数据' }).click()
  await expect(page.getByText('已写入 90 天的示例数据。')).toBeVisible()
}

/** Where something was sold, sample data would be mixed with it: a word is typed first. */
async function fillsAmongOthers(page: Page): Promise<void> {
  await page.getByRole('button', { name: '写入示例数据' }).click()
  const dialog = page.getByRole('dialog', { name: '示例数据' })
  const send = dialog.getByRole('button', { name: '写入示例数据' })
  await expect(send).toBeDisabled()
  await dialog.getByLabel('输入 sample data 以确认').fill('sample data')
  await send.click()
  await expect(dialog).toBeHidden()
}

async function editsPlan(page: Page): Promise<void> {
  await page.goto(`${world().consoleUrl}/plans/monthly`)
  await page.getByRole('button', { name: '修改套餐' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('名称', { exact: true }).fill('月卡')
  await dialog.getByRole('button', { name: '保存月度会员' }).click()
  await expect(page.getByRole('heading', { name: '月卡', level: 1 })).toBeVisible()
}

async function livesFirstHour(desk: Page): Promise<void> {
  await signIn(desk, 'owner')
  await expect(desk.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
  await expect(desk.getByRole('region', { name: '开店清单' })).toContainText('已完成 1 / 8 步')
  await isDone(desk, '有另一位同事可以审批')
  await expect(desk.getByRole('region', { name: '收入' })).toHaveCount(0)
  await fillsWithSamples(desk)
  const outTradeNo = await sellsOnPhone(await takesFirstStep(desk), desk)
  const { send } = await fillRefund(desk, outTradeNo)
  await send.click()
  await expect(desk.getByText('已退款').first()).toBeVisible()
  await editsPlan(desk)

  await desk
    .getByRole('button', { name: /的账号菜单$/ })
    .first()
    .click()
  await desk.getByRole('link', { name: '开店清单' }).click()
  await expect(desk.getByRole('region', { name: '开店清单' })).toContainText('已完成 6 / 8 步')
  await fillsAmongOthers(desk)
  for (const title of ['丢失的通知自动补上', '一笔退款成功', '核对套餐和价格']) await isDone(desk, title)
}

/** What is done outside the console and the phone page: by settings, and by a command. */
async function doesTheRest(page: Page): Promise<void> {
  await ask(
    `INSERT INTO alert_channels (id, kind, host, position, last_success_at)
     VALUES ('0123456789abcdef', 'wecom', 'robot.example.com', 0, business_now())`,
  )
  await isDone(page, '告警能送到人')
  await ask(
    'INSERT INTO backups (finished_at, bytes, verified_at) VALUES (business_now(), 1, business_now())',
  )
  await isDone(page, '备份做过，也恢复过')
  await expect(page.getByText('全部步骤都已完成')).toBeVisible()
}

async function hidesAndFinds(page: Page): Promise<void> {
  await page.getByRole('button', { name: '对我隐藏' }).click()
  await expect(page.getByText('你已在自己的总览上隐藏清单。')).toBeVisible()
  await goWithin(page, `${world().consoleUrl}/dashboard`)
  await expect(page.getByRole('region', { name: '收入' })).toBeVisible()
  await expect(page.getByRole('region', { name: '开店清单' })).toHaveCount(0)
  await goWithin(page, `${world().consoleUrl}/getting-started`)
  await page.getByRole('button', { name: '在我的总览显示' }).click()
  await expect(page.getByText('全部步骤完成之前，清单显示在总览上。')).toBeVisible()
}

test('an empty shop shows what to do instead of zeros, and each step ticks itself as it happens', async ({
  browser,
  contextOptions,
}) => {
  const own = await startWorld({ withJobs: true, isNew: true })
  try {
    const context = await browser.newContext({
      ...contextOptions,
      locale: 'zh-CN',
      timezoneId: 'Asia/Shanghai',
    })
    const desk = await context.newPage()
    await within(own.world, async () => {
      await livesFirstHour(desk)
      await hidesAndFinds(desk)
      await doesTheRest(desk)
    })
  } finally {
    await own.stop()
  }
})
