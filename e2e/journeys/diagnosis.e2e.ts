import type { APIResponse, Page, Route } from '@playwright/test'
import { expectNoViolations } from '../support/accessible.ts'
import { auditCount, limitFrequency } from '../support/database.ts'
import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { opened } from '../support/open-dialog.ts'
import { world } from '../support/world.ts'

const dialog = (page: Page) => page.getByRole('dialog')

async function fillProgram(page: Page) {
  const open = page.locator('details').last()
  await open.getByLabel('代码').fill('relax')
  await open.getByLabel('名称').fill('舒缓')
  await open.getByLabel('部位', { exact: true }).selectOption('颈部')
  const numbers = [
    ['频率（赫兹）', '80'],
    ['脉宽（微秒）', '200'],
    ['最小强度', '1'],
    ['最大强度', '20'],
    ['默认强度', '30'],
  ] as const
  await open.getByLabel('禁忌').fill('心脏起搏器\n孕妇\n癫痫')
  for (const [label, value] of numbers) await open.getByLabel(label).fill(value)
  return open
}

/** Begins a draft and adds a part of the body and a program for it. */
async function draftProgram(page: Page) {
  await page.goto(`${world().consoleUrl}/diagnosis`)
  await page.getByRole('button', { name: '新建草稿' }).click()
  await page.getByRole('button', { name: '添加部位' }).click()
  const parts = page.getByRole('region', { name: '身体部位' })
  await parts.getByLabel('代码').last().fill('neck')
  await parts.getByLabel('名称').last().fill('颈部')
  await page.getByRole('button', { name: '添加程序' }).click()
  return fillProgram(page)
}

/** Keeps what is saved from arriving, until it is let go. */
async function holdSaving(page: Page): Promise<() => Promise<void>> {
  const route = '**/api/trpc/diagnosis.saveDraft**'
  const held: Route[] = []
  await page.route(route, (request) => void held.push(request))
  return async () => {
    await expect.poll(() => held.length).toBe(1)
    await Promise.all(held.map((request) => request.continue()))
    await page.unroute(route)
  }
}

test('an operator drafts a program, is told what is wrong, loses nothing while saving, compares, asks by typing the version, a colleague publishes it, goes back, and withdraws it', async ({
  operator,
  signedIn,
}) => {
  const program = await draftProgram(operator)
  await expect(program.getByText('默认强度不在最小与最大之间')).toBeVisible()
  await expect(operator.getByText('1 处需要修正，之后才能发布')).toBeVisible()
  const save = operator.getByRole('button', { name: '保存草稿' })
  await save.click()
  await expect(save).toHaveAccessibleDescription('没有需要保存的改动')
  await expect(operator.getByRole('button', { name: /^发布 v/ })).toHaveAttribute('aria-disabled', 'true')

  await operator.getByRole('link', { name: 'JSON 文本' }).click()
  const json = operator.getByLabel('草稿的 JSON 文本')
  const mended = (await json.inputValue()).replace('"intensity_default": 30', '"intensity_default": 5')
  await json.fill(mended)
  const letGo = await holdSaving(operator)
  await save.click()
  const longer = mended.replace('"duration_minutes": 15', '"duration_minutes": 20')
  await json.fill(longer)
  await letGo()
  await expect(save).toHaveAttribute('aria-disabled', 'false')
  await expect(json).toHaveValue(longer)
  await operator.getByRole('link', { name: '与已发布的差异' }).click()
  const differences = operator.getByRole('list', { name: '与已发布版本的差异' })
  await expect(differences).toContainText('relax')
  const written = differences.getByRole('table', { name: '程序 relax' })
  for (const words of ['颈部', '双相对称']) await expect(written).toContainText(words)
  await expect(written.getByText(/^(neck|biphasic|false|\[\])$/)).toHaveCount(0)
  await save.click()
  const publish = operator.getByRole('button', { name: /^发布 v/ })
  await expect(publish).not.toHaveAttribute('aria-disabled', 'true')
  const version = Number(/v(\d+)/.exec((await publish.textContent()) ?? '')?.[1])
  await publish.click()
  const confirm = dialog(operator).getByRole('button', { name: /^发布 v/ })
  await expect(confirm).toHaveAttribute('aria-disabled', 'true')
  await dialog(operator).getByLabel(`输入 v${version} 确认`).fill(`v${version}`)
  await confirm.click()
  const waiting = operator.getByRole('listitem', { name: `发布 v${version}` })
  await expect(waiting.getByRole('button', { name: '批准' })).toHaveAccessibleDescription(
    '自己的申请须由另一位人员批准',
  )
  await expect(operator.getByRole('button', { name: '丢弃草稿' })).toHaveAttribute('aria-disabled', 'true')
  const colleague = await signedIn('operator')
  await colleague.goto(`${world().consoleUrl}/diagnosis`)
  await colleague
    .getByRole('listitem', { name: `发布 v${version}` })
    .getByRole('button', { name: '批准' })
    .click()
  await dialog(colleague)
    .getByRole('button', { name: `批准 发布 v${version}` })
    .click()
  await expect(colleague.getByRole('region', { name: `手机正在使用的程序（v${version}）` })).toBeVisible()
  await operator.reload()
  await expect(operator.getByRole('region', { name: `手机正在使用的程序（v${version}）` })).toContainText(
    '舒缓',
  )
  expect(await auditCount('diagnosis.publish', String(version))).toBe(1)

  await operator.getByRole('button', { name: '恢复 v1' }).click()
  await expect(operator.getByRole('region', { name: `草稿 v${version + 1}` })).toContainText('基于 v1')
  await operator.getByRole('button', { name: '丢弃草稿' }).click()
  await dialog(operator)
    .getByRole('button', { name: /^丢弃草稿/ })
    .click()
  await expect(operator.getByRole('button', { name: '新建草稿' })).toBeVisible()

  await operator.getByRole('button', { name: `撤下 v${version}` }).click()
  await expect(dialog(operator)).toContainText('无须审批')
  await expectNoViolations(operator, opened)
  await dialog(operator)
    .getByRole('button', { name: `撤下 v${version}` })
    .click()
  await expect(
    operator.getByRole('region', { name: `手机正在使用的程序（v${version + 1}）` }),
  ).not.toContainText('舒缓')
  expect(await auditCount('diagnosis.withdraw', String(version + 1))).toBe(1)
})

test('bounds that changed meanwhile are named where the publication is refused, in the editor and in the settings', async ({
  operator,
}) => {
  const program = await draftProgram(operator)
  await program.getByLabel('默认强度').fill('5')
  await expect(program.getByText('1 到 150', { exact: true })).toBeAttached()
  const save = operator.getByRole('button', { name: '保存草稿' })
  await save.click()
  // The answer to saving carries the bounds of its moment.
  await expect(save).toHaveAccessibleDescription('没有需要保存的改动')
  await limitFrequency(60)
  try {
    const publish = operator.getByRole('button', { name: /^发布 v/ })
    await expect(publish).not.toHaveAttribute('aria-disabled', 'true')
    const word = /v\d+/.exec((await publish.textContent()) ?? '')?.[0] ?? ''
    await publish.click()
    await dialog(operator).getByLabel(`输入 ${word} 确认`).fill(word)
    await dialog(operator)
      .getByRole('button', { name: /^发布 v/ })
      .click()
    await expect(dialog(operator).getByRole('alert')).toContainText(
      '程序“舒缓” · 频率（赫兹）：必须在 1 到 60 之间',
    )
    await operator.keyboard.press('Escape')
    await expect(program.getByText('1 到 60', { exact: true })).toBeVisible()
    await expect(program.getByText('必须在 1 到 60 之间')).toBeVisible()

    await operator.goto(`${world().consoleUrl}/settings`)
    const bounds = operator.getByRole('table', { name: '生效中的程序参数界限' })
    await expect(bounds.getByRole('row', { name: '频率（赫兹）' })).toContainText('1 到 60')
    await expect(operator.getByText('这些界限是我们的占位值，等设备厂商给出后替换')).toBeVisible()
  } finally {
    await limitFrequency(150)
  }
  await goWithin(operator, `${world().consoleUrl}/diagnosis`)
  await operator.getByRole('button', { name: '丢弃草稿' }).click()
  await dialog(operator)
    .getByRole('button', { name: /^丢弃草稿/ })
    .click()
  await expect(operator.getByRole('button', { name: '新建草稿' })).toBeVisible()
})

test('a read that began before an act, and is answered after it, takes back nothing of it', async ({
  operator,
}) => {
  await operator.goto(`${world().consoleUrl}/diagnosis`)
  const start = operator.getByRole('button', { name: '新建草稿' })
  await expect(start).toBeVisible()
  const held: { route: Route; answer: APIResponse }[] = []
  await operator.route('**/api/trpc/diagnosis.desk?*', async (route) => {
    held.push({ route, answer: await route.fetch() })
  })
  await expect(async () => {
    await operator.evaluate(() => ['offline', 'online'].map((name) => dispatchEvent(new Event(name))))
    expect(held).toHaveLength(1)
  }).toPass()
  await start.click()
  const discard = operator.getByRole('button', { name: '丢弃草稿' })
  await expect(discard).toBeVisible()
  const answered = operator.waitForResponse('**/api/trpc/diagnosis.desk?*')
  for (const { route, answer } of held) await route.fulfill({ response: answer })
  await (await answered).finished()
  await operator.getByRole('button', { name: '添加部位' }).click()
  await discard.click()
  await dialog(operator)
    .getByRole('button', { name: /^丢弃草稿/ })
    .click()
  await expect(start).toBeVisible()
})

test('a report is found by its user, read as curves and as a table, and its opening is on record once', async ({
  operator,
  phone,
}) => {
  const id = await phone.scans()
  await operator.goto(`${world().consoleUrl}/reports?kind=scan`)
  await operator.getByRole('table', { name: '报告列表' }).locator(`a[href="/reports/${id}"]`).click()
  await expect(operator.getByRole('heading', { level: 1 })).toContainText(id)
  await expect(operator.getByText('你的这次查看已记入审计日志')).toBeVisible()
  const measurements = operator.getByRole('region', { name: '测量数据' })
  await expect(measurements.getByText(/^左 · 肌电（µV）：60 个点/)).toBeVisible()
  const summary = operator.getByRole('region', { name: '摘要' })
  await expect(summary).toContainText('左右对称度0.93')
  await expect(summary).toContainText('体态良好')
  await expect(measurements.locator('svg path.recharts-line-curve')).toHaveCount(2)
  await measurements.getByRole('button', { name: '显示为表格' }).click()
  await expect(measurements.getByRole('table', { name: '测量数据' }).getByRole('row')).toHaveCount(101)
  await expect(measurements.getByRole('columnheader', { name: '时间（秒）' })).toBeVisible()
  await expect(operator.getByText(/t_ms|microvolts|posture/)).toHaveCount(0)
  expect(await auditCount('report.open', id)).toBe(1)
})
