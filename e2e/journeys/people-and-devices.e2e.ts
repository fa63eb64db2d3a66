import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { world } from '../support/world.ts'

const newSerial = () => `E2E-${randomUUID().slice(0, 8).toUpperCase()}`
const devicePath = (serial: string) => `${world().consoleUrl}/devices/${serial}`

/** Presses an act that asks why, and says why. */
async function actsBecause(page: Page, name: string, reason: string) {
  await page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('原因').fill(reason)
  await dialog.getByRole('button', { name, exact: true }).click()
  await expect(dialog).toBeHidden()
}

test('an operator finds a caller, sees what they have, stops them and lets them in again', async ({
  operator,
  phone,
}) => {
  const id = await phone.isKnownAs()
  const serial = newSerial()
  await phone.binds(serial)
  const order = await phone.buysAndPays('monthly')
  await operator.goto(`${world().consoleUrl}/users?q=${id}`)
  await operator.getByRole('table', { name: '用户列表' }).getByRole('link').first().click()
  await expect(operator.getByRole('region', { name: '设备' }).getByText(serial).first()).toBeVisible()
  await expect(operator.getByText(order.out_trade_no).first()).toBeAttached()
  await expect(operator.getByText(phone.user)).toBeHidden()

  await actsBecause(operator, '查看完整身份', '来电核对身份')
  await expect(operator.getByRole('button', { name: '复制微信 OpenID' })).toBeVisible()

  await actsBecause(operator, '停用用户', '本人来电要求冻结')
  await expect(operator.getByText('本人来电要求冻结')).toBeVisible()
  expect(await phone.isKnownAs()).toBe('user_disabled')
  await actsBecause(operator, '启用用户', '来电人已核实')
  await expect(operator.getByRole('button', { name: '停用用户' })).toBeVisible()
  expect(await phone.isKnownAs()).toBe(id)

  await operator.getByRole('button', { name: '结束全部会话' }).click()
  await operator.getByRole('dialog').getByRole('button', { name: '结束全部会话' }).click()
  await expect(operator.getByText('已结束', { exact: true })).toBeVisible()
})

/** Drops a file on something, as from a folder. */
async function drops(onto: Locator, text: string) {
  const dataTransfer = await onto.page().evaluateHandle((text) => {
    const data = new DataTransfer()
    data.items.add(new File([text], 'mended.csv', { type: 'text/csv' }))
    return data
  }, text)
  await onto.dispatchEvent('drop', { dataTransfer })
  await expect(onto).toContainText('mended.csv')
}

test('an inventory file is looked at first, mended, imported, and its devices can be taken back', async ({
  operator,
  phone,
}) => {
  const [first, second] = [newSerial(), newSerial()]
  const file = (text: string) => ({ name: 'inventory.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await operator.goto(`${world().consoleUrl}/devices`)
  await operator.getByRole('button', { name: '导入设备' }).click()
  const choose = operator.getByLabel('选择 CSV 文件')
  await choose.setInputFiles(file(`serial_number,model\n${first},M1\nbad number,M1\n`))
  await expect(operator.getByRole('table', { name: '错误' })).toContainText('bad number')
  await expect(operator.getByRole('button', { name: /^导入 \d/ })).toBeHidden()
  const saved = operator.waitForEvent('download')
  await operator.getByRole('button', { name: '下载错误清单' }).click()
  expect(readFileSync(await (await saved).path(), 'utf8')).toContain(
    '序列号应为 4–32 位字母、数字或连字符,"bad number,M1"',
  )
  await drops(
    operator.locator('label:has(input[type="file"])'),
    `serial_number,model\n${first},M1\n${second},M2\n`,
  )
  await operator.getByRole('button', { name: '导入 2 台设备' }).click()
  await expect(operator.getByRole('region').getByText('导入完成。')).toBeVisible()

  await phone.binds(first)
  await choose.setInputFiles(file(`serial_number,model\n${first},M9\n${newSerial()},M9\nbad number,M9\n`))
  await expect(operator.getByText('有 1 台设备已被用户绑定，导入不会改动它们。')).toBeVisible()
  await operator.getByRole('button', { name: '只导入 1 行正确的' }).click()
  await operator.getByRole('dialog').getByRole('button', { name: '只导入 1 行正确的' }).click()
  await expect(operator.getByRole('region').getByText('导入完成。')).toBeVisible()
  await operator.goto(devicePath(first))
  await expect(operator.getByRole('heading', { name: first, level: 1 })).toBeVisible()
  await actsBecause(operator, '解绑设备', '用户退货')
  await expect(operator.getByText('人工解绑')).toBeVisible()
  await actsBecause(operator, '停用设备', '退货待检')
  await expect(operator.getByRole('button', { name: '启用设备' })).toBeVisible()
})

test('a file of a viewer is refused, whatever page sends it', async ({ signedIn }) => {
  const viewer = await signedIn('viewer')
  const answer = await viewer.request.post(`${world().consoleUrl}/console/imports/devices?mode=all`, {
    headers: { 'content-type': 'text/csv', origin: world().consoleUrl },
    data: `serial_number\n${newSerial()}\n`,
  })
  expect(answer.status()).toBe(403)
})

test('a file from another site is refused', async ({ operator }) => {
  const answer = await operator.request.post(`${world().consoleUrl}/console/imports/devices?mode=all`, {
    headers: { 'content-type': 'text/csv', origin: 'https://elsewhere.example' },
    data: 'serial_number\nABCD-1234\n',
  })
  expect(answer.status()).toBe(403)
})
