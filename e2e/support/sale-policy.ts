import { expect, type Page } from '@playwright/test'
import { world } from './world.ts'

type Channel = '微信支付' | '虚拟支付'

const settingName = '各平台的出售渠道'

/** Has plans sold by a channel on every system, as the owner does at the console. */
export async function sellBy(owner: Page, channel: Channel): Promise<void> {
  await owner.goto(`${world().consoleUrl}/settings`)
  const setting = owner.getByRole('listitem', { name: settingName })
  await setting.getByRole('button', { name: '修改', exact: true }).click()
  const dialog = owner.getByRole('dialog')
  for (const system of ['苹果 iOS', '安卓 Android', '其他'])
    await dialog.getByRole('group', { name: system }).getByRole('radio', { name: channel }).check()
  await expect(dialog.getByRole('table', { name: '将要发生的变化' })).toContainText(channel)
  await dialog.getByRole('button', { name: `保存“${settingName}”` }).click()
  await expect(dialog).toHaveCount(0)
}

/** By what an Android is sold plans now. */
async function soldBy(): Promise<Channel> {
  const headers = { 'x-client-platform': 'android' }
  const answer = await fetch(`${world().apiUrl}/api/v1/subscription/plans`, { headers })
  const { sale }: { sale: { channel: string | null } } = await answer.json()
  return sale.channel === 'virtual' ? '虚拟支付' : '微信支付'
}

/** The same, where it is not so yet. */
export async function beSoldBy(owner: Page, channel: Channel): Promise<void> {
  if ((await soldBy()) !== channel) await sellBy(owner, channel)
}
