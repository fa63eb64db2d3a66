import { billTime, decimal, type Entry, entriesOf, FEE_PER_FEN, row, table, yuan } from './bill-rows.ts'
import { DEVICE_ID_IS_IN_BILLS, REFUND_ROW_IS_DATED_BY } from './open-questions.ts'
import type { PlatformState } from './platform-state.ts'

const refundWords = {
  SUCCESS: 'SUCCESS',
  PROCESSING: 'PROCESSING',
  CLOSED: 'FAIL',
  ABNORMAL: 'CHANGE',
} as const

const paidFen = ({ refund, amountFen }: Entry) => (refund ? 0 : amountFen)
const refundFen = ({ refund, amountFen }: Entry) => (refund ? amountFen : 0)

const tradedAt = ({ at, refund, payment }: Entry) =>
  refund && REFUND_ROW_IS_DATED_BY === 'payment' ? payment.paidAt : at

const columns = {
  交易时间: (entry: Entry) => billTime(tradedAt(entry)),
  公众账号ID: ({ order }: Entry) => order.appId,
  商户号: ({ order }: Entry) => order.mchId,
  特约商户号: () => '0',
  设备号: ({ order }: Entry) => (DEVICE_ID_IS_IN_BILLS ? (order.deviceId ?? '') : ''),
  微信订单号: ({ payment }: Entry) => payment.transactionId,
  商户订单号: ({ order }: Entry) => order.outTradeNo,
  用户标识: ({ payment }: Entry) => payment.payerOpenid,
  交易类型: () => 'JSAPI',
  交易状态: ({ refund }: Entry) => (refund ? 'REFUND' : 'SUCCESS'),
  付款银行: ({ payment }: Entry) => payment.bankType,
  货币种类: ({ order }: Entry) => order.currency,
  应结订单金额: (entry: Entry) => yuan(paidFen(entry)),
  代金券金额: () => '0.00',
  退款申请时间: ({ refund }: Entry) => (refund ? billTime(refund.createdAt) : ''),
  退款成功时间: ({ refund }: Entry) => (refund?.succeededAt ? billTime(refund.succeededAt) : ''),
  微信退款单号: ({ refund }: Entry) => refund?.refundId ?? '0',
  商户退款单号: ({ refund }: Entry) => refund?.outRefundNo ?? '0',
  退款金额: (entry: Entry) => yuan(refundFen(entry)),
  充值券退款金额: () => '0.00',
  退款类型: ({ refund }: Entry) => (refund ? 'ORIGINAL' : ''),
  退款状态: ({ refund }: Entry) => (refund ? refundWords[refund.status] : ''),
  商品名称: ({ order }: Entry) => order.description,
  商户数据包: ({ order }: Entry) => order.attach ?? '',
  手续费: (entry: Entry) => decimal((paidFen(entry) - refundFen(entry)) * FEE_PER_FEN, 5),
  费率: () => '0.60%',
  订单金额: (entry: Entry) => yuan(paidFen(entry)),
  申请退款金额: (entry: Entry) => yuan(refundFen(entry)),
  费率备注: () => '',
} as const

type Column = keyof typeof columns

const sumOf = (of: (entry: Entry) => number, entries: readonly Entry[]) =>
  entries.reduce((sum, entry) => sum + of(entry), 0)
const sumInYuan = (of: (entry: Entry) => number) => (entries: readonly Entry[]) => yuan(sumOf(of, entries))

const totals = {
  总交易单数: (entries: readonly Entry[]) => `${entries.length}.0`,
  应结订单总金额: sumInYuan(paidFen),
  退款总金额: sumInYuan(refundFen),
  充值券退款总金额: () => '0.00',
  手续费总金额: (entries: readonly Entry[]) =>
    yuan(Math.round(((sumOf(paidFen, entries) - sumOf(refundFen, entries)) * FEE_PER_FEN) / 1000)),
  订单总金额: sumInYuan(paidFen),
  申请退款总金额: sumInYuan(refundFen),
} as const

type Total = keyof typeof totals

const ofOrder: readonly Column[] = [
  '交易时间',
  '公众账号ID',
  '商户号',
  '特约商户号',
  '设备号',
  '微信订单号',
  '商户订单号',
  '用户标识',
  '交易类型',
  '交易状态',
  '付款银行',
  '货币种类',
  '应结订单金额',
  '代金券金额',
]
const ofRefund: readonly Column[] = [
  '微信退款单号',
  '商户退款单号',
  '退款金额',
  '充值券退款金额',
  '退款类型',
  '退款状态',
]
const ofGoods: readonly Column[] = ['商品名称', '商户数据包', '手续费', '费率', '订单金额']
const allTotals: readonly Total[] = [
  '总交易单数',
  '应结订单总金额',
  '退款总金额',
  '充值券退款总金额',
  '手续费总金额',
  '订单总金额',
  '申请退款总金额',
]

export type TradeBillType = 'ALL' | 'SUCCESS' | 'REFUND'

type Layout = { columns: readonly Column[]; totals: readonly Total[]; holds: (entry: Entry) => boolean }

/** Each kind of trade bill, as the page "交易账单详细说明" of 2024-11-25 lists it (protocol §7.4). */
const layouts: Record<TradeBillType, Layout> = {
  ALL: {
    columns: [...ofOrder, ...ofRefund, ...ofGoods, '申请退款金额', '费率备注'],
    totals: allTotals,
    holds: () => true,
  },
  SUCCESS: {
    columns: [...ofOrder, ...ofGoods, '费率备注'],
    totals: ['总交易单数', '应结订单总金额', '手续费总金额', '订单总金额'],
    holds: ({ refund }) => refund === null,
  },
  REFUND: {
    columns: [
      ...ofOrder,
      '退款申请时间',
      '退款成功时间',
      ...ofRefund,
      ...ofGoods,
      '申请退款金额',
      '费率备注',
    ],
    totals: allTotals,
    holds: ({ refund }) => refund !== null,
  },
}

/** The trade bill of a day; null when nothing of its kind was traded. */
export const writeTradeBill =
  (type: TradeBillType) =>
  (state: PlatformState, date: string): string | null => {
    const layout = layouts[type]
    const entries = entriesOf(state, date).filter(layout.holds)
    if (entries.length === 0) return null
    return table([
      layout.columns.join(','),
      ...entries.map((entry) => row(layout.columns.map((name) => columns[name](entry)))),
      layout.totals.join(','),
      row(layout.totals.map((name) => totals[name](entries))),
    ])
  }
