import { z } from 'zod'
import { anOrder, type World } from '../world/world.ts'

const Sealed = z.object({ ciphertext: z.string(), nonce: z.string(), associated_data: z.string() })
/** What is sealed in an answer or a notification. */
export const Envelope = z.object({ event_type: z.string(), resource: Sealed })
export const Certificates = z.object({
  data: z.array(z.object({ serial_no: z.string(), encrypt_certificate: Sealed })),
})
export const BillLink = z.object({ hash_value: z.string(), download_url: z.string() })

/** The numbers of the one order and the one refund that a client goes through everything with. */
export function numbersOfOneOrder() {
  const { outTradeNo } = anOrder()
  return { outTradeNo, outRefundNo: `R${outTradeNo}` }
}

/** An order of 7900 fen, as merchants send it. */
export const orderOf = (world: World, outTradeNo: string) => ({
  description: '季度会员',
  out_trade_no: outTradeNo,
  notify_url: world.merchant.notifyUrl,
  amount: { total: 7900, currency: 'CNY' },
  payer: { openid: 'oSomebody' },
})

/** Every documented parameter of an order, as merchants send them (protocol §3.1). */
export const everyOrderParameter = {
  attach: '自定义数据',
  goods_tag: 'WXG',
  support_fapiao: true,
  limit_pay: ['no_credit'],
  detail: {
    cost_price: 7900,
    invoice_id: '微信123',
    goods_detail: [
      {
        merchant_goods_id: 'SKU-1',
        wechatpay_goods_id: '1001',
        goods_name: '季度会员',
        quantity: 1,
        unit_price: 7900,
      },
    ],
  },
  scene_info: {
    payer_client_ip: '14.23.150.211',
    device_id: '013467007045764',
    store_info: { id: '0001', name: '腾讯大厦分店', area_code: '440305', address: '科技中一道10000号' },
  },
  settle_info: { profit_sharing: true },
}

/** One of the goods of a refund of 100 fen. */
export const refundedGoods = {
  merchant_goods_id: 'SKU-1',
  wechatpay_goods_id: '1001',
  goods_name: '季度会员',
  unit_price: 7900,
  refund_amount: 100,
  refund_quantity: 1,
}

/** Every documented parameter of a refund of 100 fen beside its numbers (protocol §6.1). */
const everyRefundParameter = { reason: '商品已售完', goods_detail: [refundedGoods] }

/** What the notification of a payment with every parameter says. */
export const everyParameterPaid = (outTradeNo: string) => ({
  out_trade_no: outTradeNo,
  trade_state: 'SUCCESS',
  attach: everyOrderParameter.attach,
  scene_info: { device_id: everyOrderParameter.scene_info.device_id },
  amount: { total: 7900, currency: 'CNY' },
})

export const refundAmount = {
  refund: 100,
  total: 7900,
  currency: 'CNY',
  from: [
    { account: 'AVAILABLE', amount: 40 },
    { account: 'UNAVAILABLE', amount: 60 },
  ],
}

/** A refund of 100 fen with every parameter. */
export const refundOf = (world: World, numbers: { outTradeNo: string; outRefundNo: string }) => ({
  out_trade_no: numbers.outTradeNo,
  out_refund_no: numbers.outRefundNo,
  notify_url: world.merchant.notifyUrl,
  amount: refundAmount,
  ...everyRefundParameter,
})

/** How a day with one payment of 7900 and a refund of 100 fen of it stands in each bill: rows, and what they are of. */
export const billsOfTheDay = [
  { bill: 'tradebill', query: { bill_type: 'ALL' }, column: '交易状态', cells: ['SUCCESS', 'REFUND'] },
  { bill: 'tradebill', query: { bill_type: 'SUCCESS' }, column: '订单金额', cells: ['79.00'] },
  { bill: 'tradebill', query: { bill_type: 'REFUND' }, column: '申请退款金额', cells: ['1.00'] },
  {
    bill: 'fundflowbill',
    query: { account_type: 'BASIC' },
    column: '业务名称',
    cells: ['交易', '扣除交易手续费', '退款'],
  },
] as const
