import { z } from 'zod'
import type { Shop } from './shop.ts'
import type { Desk } from './staff.ts'

const Settings = z.object({
  items: z.array(z.object({ key: z.string(), version: z.number(), value: z.unknown() })),
  waiting: z.array(z.object({ subject: z.string() })),
})
type Settings = z.infer<typeof Settings>

const channelOf = (channel: 'jsapi' | 'virtual') => ({ channel, allowed: true, message: null })
/** What iPhones are sold by virtual payment, as Apple demands it. */
const salePolicy = { ios: channelOf('virtual'), android: channelOf('jsapi'), other: channelOf('jsapi') }

const isSold = z.object({ ios: z.object({ channel: z.literal('virtual') }) })

async function change(owner: Desk, { items }: Settings, wanted: { key: string; value: unknown }) {
  const version = items.find(({ key }) => key === wanted.key)?.version
  await owner({ procedure: 'setting.change', input: { ...wanted, version } })
}

/**
 * What the owner decides once: iPhones buy by virtual payment, and a payment that comes too late waits for somebody. The
 * second needs another owner, and takes effect after a day where there is none.
 */
export async function setUpShop(shop: Shop, owner: Desk): Promise<void> {
  const settings = Settings.parse(await owner({ procedure: 'setting.list', reads: true }))
  const settingOf = (name: string) => settings.items.find(({ key }) => key === name)?.value
  if (!isSold.safeParse(settingOf('sale_policy')).success)
    await change(owner, settings, { key: 'sale_policy', value: salePolicy })
  shop.sellsToIphones = true
  const key = 'late_payment_policy'
  const isAsked = settings.waiting.some(({ subject }) => subject === key)
  if (settingOf(key) === 'activate' && !isAsked) await change(owner, settings, { key, value: 'ask' })
}
