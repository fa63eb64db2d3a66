import type { Locator, Page } from '@playwright/test'

/** What stands beside the phone: the platform, as whoever holds the phone can work it. */
export function phonePanel(page: Page) {
  const panel = page.getByRole('complementary', { name: '沙箱控制台' })
  const virtual = panel.getByRole('region', { name: '虚拟支付', exact: true })
  /** One of the parts that are folded away. */
  const unfolded = async (within: Locator, name: string) => {
    const part = within.locator('details', { has: page.locator('summary', { hasText: name }) }).first()
    if ((await part.getAttribute('open')) === null) await part.locator('summary').first().click()
    return part
  }
  const press = async (part: string, name: string) =>
    (await unfolded(virtual, part)).getByRole('button', { name }).click()
  return {
    /** What was said of the last press. */
    word: virtual.getByRole('status'),
    /** Switches a fault of a group on. */
    suffers: async (group: string, fault: string) => {
      const box = (await unfolded(panel, group)).getByRole('switch', { name: fault })
      await Promise.all([page.waitForResponse(/\/sandbox\/weather$/), box.check()])
    },
    recovers: async (group: string, fault: string) => {
      const box = (await unfolded(panel, group)).getByRole('switch', { name: fault })
      await Promise.all([page.waitForResponse(/\/sandbox\/weather$/), box.uncheck()])
    },
    addsItem: async (id: string, yuan: string) => {
      const items = await unfolded(virtual, '道具')
      await items.getByLabel('道具编号').fill(id)
      await items.getByLabel('价格（元）', { exact: true }).fill(yuan)
      await items.getByRole('button', { name: '新增' }).click()
    },
    changesItem: async (id: string, yuan: string) => {
      const items = await unfolded(virtual, '道具')
      await items.getByLabel(`道具 ${id} 的价格（元）`).fill(yuan)
      await items.getByRole('button', { name: `改价 ${id}` }).click()
    },
    /** Apple, about a payment of whoever holds the phone. */
    appleAsks: (number: string) => press('这位用户的付款', `Apple 征求意见 ${number}`),
    appleRefunds: (number: string) => press('这位用户的付款', `Apple 退款 ${number}`),
  }
}
