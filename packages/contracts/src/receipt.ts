import { z } from 'zod'
import { PaymentChannel } from './order-status.ts'
import type { Words } from './text.ts'

/** What a customer is given for a payment: no health, no identity, nothing but the purchase. */
export const Receipt = z.object({
  /** Who issues it; empty until the settings say so. */
  company: z.object({ name: z.string(), taxId: z.string() }),
  outTradeNo: z.string(),
  transactionId: z.string().nullable(),
  channel: PaymentChannel,
  planName: z.string(),
  days: z.int(),
  amountFen: z.int(),
  refundedFen: z.int(),
  paidAt: z.date(),
  issuedAt: z.date(),
})
export type Receipt = z.infer<typeof Receipt>

export const receiptLanguages = ['zh', 'en'] as const
export type ReceiptLanguage = (typeof receiptLanguages)[number]

/** Each by its own name. */
export const receiptLanguageNames: Readonly<Record<ReceiptLanguage, string>> = { zh: '中文', en: 'English' }

/** What a receipt says, in the customer's language and not the operator's. */
export const receiptWords = {
  title: { zh: '收据', en: 'Receipt' },
  issuer: { zh: '收款单位', en: 'Issued by' },
  taxId: { zh: '纳税人识别号', en: 'Taxpayer ID' },
  outTradeNo: { zh: '订单号', en: 'Order number' },
  transactionId: { zh: '交易号', en: 'Transaction ID' },
  channel: { zh: '支付方式', en: 'Paid by' },
  plan: { zh: '套餐', en: 'Plan' },
  days: { zh: '天数', en: 'Days' },
  paidAt: { zh: '支付时间', en: 'Paid at' },
  amount: { zh: '金额', en: 'Amount' },
  inWords: { zh: '金额（大写）', en: 'Amount in Chinese capitals' },
  refunded: { zh: '已退款', en: 'Refunded' },
  kept: { zh: '实收金额', en: 'Amount after refunds' },
  issuedAt: { zh: '开具日期', en: 'Date of issue' },
  zone: { zh: '北京时间', en: 'Beijing time' },
  note: {
    zh: '本收据仅证明已收到款项，不是发票。',
    en: 'This receipt confirms that payment was received. It is not a tax invoice (fapiao).',
  },
} as const satisfies Record<string, Words>

const digits = ['零', '壹', '贰', '叁', '肆', '伍', '陆', '柒', '捌', '玖'] as const
const places = ['', '拾', '佰', '仟'] as const
const groups = ['', '万', '亿', '万亿'] as const

/** Four digits in capitals; a zero between others is said once, and none at the end. */
function sayGroup(group: number): string {
  let said = ''
  let skipped = false
  for (let place = 3; place >= 0; place -= 1) {
    const digit = Math.floor(group / 10 ** place) % 10
    if (digit === 0) {
      skipped = said !== ''
      continue
    }
    said += `${skipped ? '零' : ''}${digits[digit]}${places[place]}`
    skipped = false
  }
  return said
}

function sayYuan(yuan: number): string {
  let said = ''
  let gap = false
  for (let at = groups.length - 1; at >= 0; at -= 1) {
    const group = Math.floor(yuan / 10_000 ** at) % 10_000
    if (group === 0) {
      gap = said !== ''
      continue
    }
    const needsZero = said !== '' && (gap || group < 1000)
    said += `${needsZero ? '零' : ''}${sayGroup(group)}${groups[at]}`
    gap = false
  }
  return said
}

/**
 * An amount in Chinese capitals, as receipts and cheques write it (Regulations on Payment and Settlement, annex 1):
 * 107000.53 yuan is 人民币壹拾万柒仟元伍角叁分. From 0 fen on, up to 999,999,999,999.99 yuan.
 */
export function capitalYuan(fen: number): string {
  const yuan = Math.floor(fen / 100)
  const [jiao, cent] = [Math.floor(fen / 10) % 10, fen % 10]
  if (fen === 0) return '人民币零元整'
  const whole = yuan === 0 ? '' : `${sayYuan(yuan)}元`
  if (jiao === 0 && cent === 0) return `人民币${whole}整`
  const tenths = jiao > 0 ? `${digits[jiao]}角` : whole === '' ? '' : '零'
  return `人民币${whole}${tenths}${cent > 0 ? `${digits[cent]}分` : '整'}`
}
