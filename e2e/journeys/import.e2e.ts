import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expectNoSidewaysScroll, expectNoViolations, narrow, wide } from '../support/accessible.ts'
import { ask } from '../support/database.ts'
import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { world } from '../support/world.ts'

test.beforeEach(({ quietShop: _ }) => {})

const head = 'source,source_id,openid,nickname,days'

test('an owner checks a file, mends it, imports it, finds the subscriber and takes it all back', async ({
  operator,
}) => {
  const name = `import${randomUUID().slice(0, 8)}`
  const file = (text: string) => ({ name: `${name}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await operator.goto(`${world().consoleUrl}/developers`)
  await operator.getByRole('link', { name: '从其他系统导入' }).click()
  await expect(operator.getByRole('heading', { name: '从其他系统导入', level: 1 })).toBeVisible()
  const choose = operator.getByLabel('选择 CSV 文件')
  await choose.setInputFiles(file(`${head}\n${name},1,${name}a,${name},30\n${name},2,${name}b,,many\n`))
  const faults = operator.getByRole('table', { name: '错误' })
  await expect(faults).toContainText('days')
  await expect(faults).toContainText('须为 0–3660 的整数')
  await expect(operator.getByRole('button', { name: /^导入 \d/ })).toBeHidden()
  const saved = operator.waitForEvent('download')
  await operator.getByRole('button', { name: '下载错误清单' }).click()
  expect(readFileSync(await (await saved).path(), 'utf8')).toContain('3,days,须为 0–3660 的整数')

  await choose.setInputFiles(file(`${head}\n${name},1,${name}a,${name},30\n${name},2,${name}b,,7\n`))
  await operator.getByRole('button', { name: '导入 2 行' }).click()
  await expect(operator.getByText('导入完成，已增加：')).toBeVisible()
  await expectNoViolations(operator)
  await operator.setViewportSize(narrow)
  await expectNoSidewaysScroll(operator)
  await operator.setViewportSize(wide)

  await goWithin(operator, `${world().consoleUrl}/users?q=${name}`)
  await operator.getByRole('table', { name: '用户列表' }).getByRole('link').first().click()
  await expect(operator.getByText('30 天').first()).toBeVisible()

  await goWithin(operator, `${world().consoleUrl}/developers/imports`)
  const row = operator.getByRole('table', { name: '导入记录' }).getByRole('row').filter({ hasText: '已完成' })
  await row.getByRole('button', { name: '撤销导入' }).click()
  await operator.getByRole('dialog').getByRole('button', { name: '撤销导入' }).click()
  await expect(operator.getByRole('table', { name: '导入记录' }).getByText('已撤销')).toBeVisible()
  const entries = await ask<{ action: string }>(
    `SELECT action FROM audit_entries WHERE subject_type = 'import' ORDER BY id`,
  )
  expect(entries.map(({ action }) => action)).toEqual([
    'import.start',
    'import.start',
    'import.start',
    'import.undo',
  ])
})
