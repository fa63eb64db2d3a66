import { z } from 'zod'
import { oneOf } from './chance.ts'
import type { Sale, Shop } from './shop.ts'
import type { Desk } from './staff.ts'
import { count } from './tally.ts'

const Colleagues = z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) })

const shareOfTags = 0.25
const shareOfNotes = 0.2

type Tag = { label: string; color: string }
const tagsOfUsers: readonly [Tag, ...Tag[]] = [
  { label: '老客户', color: 'green' },
  { label: '重点客户', color: 'purple' },
  { label: '门店转介', color: 'blue' },
]
const wantsInvoice: Tag = { label: '需要发票', color: 'orange' }

const invoiceNote = '客户要开发票，请跟进'
const notes = [
  '客户来电询问续费价格，已说明按年更优惠',
  invoiceNote,
  '设备蓝牙连接不稳定，已指导重新配对',
  '客户表示效果明显，愿意参加回访',
] as const

/** What the staff writes down about a sale: a tag on who bought or on the order, a note that may name a colleague. */
async function writeAbout({ chance, tally, known }: Shop, operator: Desk, sale: Sale) {
  const order = { kind: 'order', id: sale.outTradeNo }
  const userId = known.get(Number(sale.mark.split('-')[1]))
  if (chance('tag', sale.mark) < shareOfTags && userId !== undefined) {
    const subject = { kind: 'user', id: userId }
    const tag = oneOf(tagsOfUsers, chance('which tag', sale.mark))
    await operator({ procedure: 'tag.setNew', input: { subject, ...tag } })
    count(tally, 'tags')
  }
  if (chance('note', sale.mark) > shareOfNotes) return
  const text = oneOf(notes, chance('which note', sale.mark))
  count(tally, 'notes')
  if (text !== invoiceNote) {
    await operator({ procedure: 'note.write', input: { subject: order, text } })
    return
  }
  await operator({ procedure: 'tag.setNew', input: { subject: order, ...wantsInvoice } })
  count(tally, 'tags')
  const answer = await operator({ procedure: 'note.colleagues', reads: true })
  const [first, ...others] = Colleagues.parse(answer).items
  const mentioned = first && oneOf([first, ...others], chance('colleague', sale.mark))
  const mention = mentioned && { text: `${text} @${mentioned.name}`, mentions: [mentioned.id] }
  await operator({ procedure: 'note.write', input: { subject: order, text, ...mention } })
}

/** What the staff writes down about the sales since it was last there. */
export async function writeDown(shop: Shop, operator: Desk): Promise<void> {
  for (const sale of shop.sales) await writeAbout(shop, operator, sale)
}
