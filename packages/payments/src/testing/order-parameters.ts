import { isIP } from 'node:net'
import { z } from 'zod'
import { CLIENT_IP_REQUIRED_IN_SCENE, STORE_FIELDS_REQUIRED } from './open-questions.ts'
import { goodsId, threeByteText } from './reply.ts'

const LONGEST_DETAIL_BYTES = 6144

const Goods = z.strictObject({
  merchant_goods_id: goodsId,
  wechatpay_goods_id: threeByteText(1, 32).optional(),
  goods_name: threeByteText(1, 256).optional(),
  quantity: z.number().int().positive(),
  unit_price: z.number().int().min(0),
})

const Detail = z
  .strictObject({
    cost_price: z.number().int().min(0).optional(),
    invoice_id: threeByteText(1, 32).optional(),
    goods_detail: z.array(Goods).min(1).optional(),
  })
  .refine((detail) => Buffer.byteLength(JSON.stringify(detail)) <= LONGEST_DETAIL_BYTES, '超过6144字节')

const Store = z
  .strictObject({
    id: threeByteText(1, 32).optional(),
    name: threeByteText(1, 256).optional(),
    area_code: threeByteText(1, 32).optional(),
    address: threeByteText(1, 512).optional(),
  })
  .refine((store) => STORE_FIELDS_REQUIRED.every((name) => store[name] !== undefined), '门店信息不完整')

const Scene = z
  .strictObject({
    payer_client_ip: z
      .string()
      .refine((text) => isIP(text) > 0, '不是IP地址')
      .optional(),
    device_id: threeByteText(1, 32).optional(),
    store_info: Store.optional(),
  })
  .refine(({ payer_client_ip: ip }) => ip !== undefined || !CLIENT_IP_REQUIRED_IN_SCENE, '缺少用户终端IP')

/** The parameters of an order; unknown ones are refused (protocol §1.1, §3.1). */
export const OrderParameters = z.strictObject({
  appid: threeByteText(1, 32),
  mchid: threeByteText(1, 32),
  description: threeByteText(1, 127),
  out_trade_no: z.string().regex(/^[0-9A-Za-z_\-|*]{6,32}$/),
  time_expire: z.iso.datetime({ offset: true }).optional(),
  attach: threeByteText(0, 128).optional(),
  notify_url: z
    .string()
    .max(255)
    .regex(/^https?:\/\/[^?#]+$/),
  goods_tag: threeByteText(1, 32).optional(),
  support_fapiao: z.boolean().optional(),
  limit_pay: z.array(z.enum(['no_balance', 'no_credit', 'no_debit', 'balance_only'])).optional(),
  amount: z.strictObject({ total: z.number().int().min(1), currency: z.literal('CNY').optional() }),
  payer: z.strictObject({ openid: threeByteText(1, 128) }),
  detail: Detail.optional(),
  scene_info: Scene.optional(),
  settle_info: z.strictObject({ profit_sharing: z.boolean().optional() }).optional(),
})

export type OrderParameters = z.infer<typeof OrderParameters>

export type PayLimit = NonNullable<OrderParameters['limit_pay']>[number]

/** What the phone pays with, best liked first, and the limit that takes it away (protocol §3.1). */
const means: readonly { bankType: string; excludedBy: PayLimit }[] = [
  { bankType: 'OTHERS', excludedBy: 'no_balance' },
  { bankType: 'ICBC_DEBIT', excludedBy: 'no_debit' },
  { bankType: 'ICBC_CREDIT', excludedBy: 'no_credit' },
]

/** The bank type that a phone pays an order with under its limits; null where none is left. */
export function bankTypeUnder(limits: readonly PayLimit[]): string | null {
  const allowed = limits.includes('balance_only') ? means.slice(0, 1) : means
  return allowed.find(({ excludedBy }) => !limits.includes(excludedBy))?.bankType ?? null
}
