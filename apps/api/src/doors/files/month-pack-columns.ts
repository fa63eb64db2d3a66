import {
  addFinance,
  type ChannelFinance,
  confirmedByWords,
  type DayState,
  type DifferenceKind,
  type DifferenceState,
  type FinanceMonth,
  type FinanceSums,
  netFenOf,
  paymentChannelWords,
  refundReasonWords,
  type Words,
} from '@meridian/contracts'
import type {
  PackedDay,
  PackedDifference,
  PackedFee,
  PackedOrder,
  PackedRefund,
} from '../../finance/pack-rows.ts'
import type { Language } from '../problem.ts'
import type { FileTaker } from './file-taker.ts'
import {
  beijingTime,
  type Cell,
  count,
  type ExportColumn,
  id,
  moment,
  soldPlan,
  text,
  words,
  yesNo,
  yuan,
  yuanOrNone,
} from './sheet.ts'

/** What the tabs of the workbook say. */
export const sheetNames = {
  summary: { zh: '汇总', en: 'Summary' },
  orders: { zh: '订单', en: 'Orders' },
  refunds: { zh: '退款', en: 'Refunds' },
  fees: { zh: '手续费', en: 'Fees' },
  deferred: { zh: '递延收入', en: 'Deferred income' },
  differences: { zh: '对账差异', en: 'Differences' },
  closings: { zh: '关账', en: 'Closings' },
} as const satisfies Record<string, Words>

const differenceKindWords: Record<DifferenceKind, Words> = {
  ours_only: { zh: '仅我方有', en: 'Only in our records' },
  theirs_only: { zh: '仅平台有', en: 'Only on the platform' },
  amount: { zh: '金额不同', en: 'Amount differs' },
  status: { zh: '状态不同', en: 'Status differs' },
  refund: { zh: '退款不同', en: 'Refund differs' },
  fee: { zh: '手续费不同', en: 'Fee differs' },
}
const differenceStateWords: Record<DifferenceState, Words> = {
  open: { zh: '未解决', en: 'Open' },
  resolved: { zh: '已解决', en: 'Resolved' },
}
const dayStateWords: Record<DayState | 'none', Words> = {
  none: { zh: '尚未对账', en: 'Not reconciled yet' },
  open: { zh: '未完成', en: 'Incomplete' },
  matched: { zh: '已核对', en: 'Matched' },
  closed: { zh: '已关账', en: 'Closed' },
}

type OfChannel = { channel: ChannelFinance['channel'] }
const channel = <Row extends OfChannel>(): ExportColumn<Row> =>
  words('渠道', 'Channel', (row, language) => paymentChannelWords[language][row.channel])
const afterClosing = <Row extends { cameLater: boolean }>(): ExportColumn<Row> =>
  yesNo('关账后得知', 'Reported after closing', (row) => row.cameLater)
const day = <Row extends { day: string }>(zh: string, en: string): ExportColumn<Row> => ({
  zh,
  en,
  cell: (row) => ({ as: 'day', day: row.day }),
})

export const orderColumns: ExportColumn<PackedOrder>[] = [
  moment('支付时间', 'Paid', (order) => order.at),
  id('订单号', 'Order number', (order) => order.outTradeNo),
  id('平台交易号', 'Transaction ID', (order) => order.transactionId),
  channel(),
  text('套餐代码', 'Plan code', (order) => order.planCode),
  soldPlan((order) => order.planName),
  count('天数', 'Days', (order) => order.days),
  yuan('金额（元）', 'Amount (yuan)', (order) => order.amountFen),
  yuan('至今已退款（元）', 'Refunded to date (yuan)', (order) => order.refundedFen),
  yuan('至今净额（元）', 'Net to date (yuan)', (order) => order.amountFen - order.refundedFen),
  yuanOrNone('至今手续费（元）', 'Fee to date (yuan)', (order) => order.feeFen),
  words(
    '确认方式',
    'Confirmed by',
    ({ confirmedBy }, language) => confirmedBy && confirmedByWords[language][confirmedBy],
  ),
  yesNo('逾期付款', 'Late payment', (order) => order.late),
  afterClosing(),
]

export const refundColumns: ExportColumn<PackedRefund>[] = [
  moment('退款时间', 'Succeeded', (refund) => refund.at),
  id('退款单号', 'Refund number', (refund) => refund.outRefundNo),
  id('平台退款号', 'Refund ID of the platform', (refund) => refund.platformRefundId),
  id('订单号', 'Order number', (refund) => refund.outTradeNo),
  channel(),
  text('套餐代码', 'Plan code', (refund) => refund.planCode),
  yuan('金额（元）', 'Amount (yuan)', (refund) => -refund.amountFen),
  words('原因', 'Reason', (refund, language) => refundReasonWords[language][refund.reason]),
  afterClosing(),
]

export const feeColumns: ExportColumn<PackedFee>[] = [
  day('日期', 'Date'),
  channel(),
  id('订单号', 'Order number', (fee) => fee.outTradeNo),
  id('平台交易号', 'Transaction ID', (fee) => fee.transactionId),
  id('退款单号', 'Refund number', (fee) => fee.outRefundNo),
  yuan('交易金额（元）', 'Amount (yuan)', (fee) => fee.amountFen),
  // The bill names five decimals of a yuan; what is booked is rounded once for the day.
  count('手续费（元）', 'Fee (yuan)', (fee) => fee.feeYuan),
  text('费率', 'Rate', (fee) => fee.rate),
]

export const differenceColumns: ExportColumn<PackedDifference>[] = [
  day('账单日', 'Bill date'),
  words('类型', 'Type', ({ kind }, language) => differenceKindWords[kind][language]),
  words('状态', 'Status', ({ state }, language) => differenceStateWords[state][language]),
  id('订单号', 'Order number', (difference) => difference.outTradeNo),
  id('平台交易号', 'Transaction ID', (difference) => difference.transactionId),
  id('退款单号', 'Refund number', (difference) => difference.outRefundNo),
  yuan('账单减订单（元）', 'Bill less orders (yuan)', (difference) => difference.billGapFen),
  yuan('订单减账本（元）', 'Orders less ledger (yuan)', (difference) => difference.ledgerGapFen),
  yesNo('关账后调整', 'Adjustment after closing', (difference) => difference.adjustment),
  text('解决说明', 'Resolution', (difference) => difference.resolution),
  moment('解决时间', 'Resolved', (difference) => difference.resolvedAt),
]

export const dayColumns: ExportColumn<PackedDay>[] = [
  day('日期', 'Date'),
  words('状态', 'Status', ({ state }, language) => dayStateWords[state ?? 'none'][language]),
  yuanOrNone('订单（元）', 'Orders (yuan)', (row) => row.orderFen),
  yuanOrNone('账本（元）', 'Ledger (yuan)', (row) => row.ledgerFen),
  yuanOrNone('账单（元）', 'Bill (yuan)', (row) => row.billFen),
  moment('关账时间', 'Closed at', (row) => row.closedAt),
  text('关账人', 'Closed by', (row) => row.closedBy),
]

export const figures: readonly (Words & { cell: (sums: FinanceSums) => Cell })[] = [
  { zh: '支付笔数', en: 'Payments', cell: ({ orders }) => ({ as: 'count', count: orders }) },
  { zh: '收款（元）', en: 'Gross (yuan)', cell: ({ grossFen }) => ({ as: 'yuan', fen: grossFen }) },
  { zh: '退款笔数', en: 'Number of refunds', cell: ({ refunds }) => ({ as: 'count', count: refunds }) },
  { zh: '退款（元）', en: 'Refunds (yuan)', cell: ({ refundFen }) => ({ as: 'yuan', fen: -refundFen }) },
  { zh: '净收入（元）', en: 'Net revenue (yuan)', cell: (sums) => ({ as: 'yuan', fen: netFenOf(sums) }) },
  { zh: '手续费（元）', en: 'Fees (yuan)', cell: ({ feeFen }) => ({ as: 'yuan', fen: -feeFen }) },
]

const said = (texts: Words, language: Language): Cell => ({ as: 'words', text: texts[language] })

function stateOf({ closing }: FinanceMonth): Words {
  if (!closing) return { zh: '未关账：数字仍可能变化', en: 'Open month: the figures may still change' }
  const when = beijingTime(closing.closedAt)
  return {
    zh: `已关账：${closing.closedBy}，${when}（北京时间），SHA-256 ${closing.checksum}`,
    en: `Closed by ${closing.closedBy} at ${when} (Beijing time), SHA-256 ${closing.checksum}`,
  }
}

export const summaryHeads = (shown: FinanceMonth, language: Language): string[] => [
  shown.month,
  ...shown.channels.map(({ channel: name }) => paymentChannelWords[language][name]),
  { zh: '合计', en: 'Total' }[language],
]

/** The figures of the month, of each channel and of all; of a closed month as it was closed. */
export function* summaryLines(shown: FinanceMonth, { language, operator, at }: FileTaker): Generator<Cell[]> {
  const channels = shown.closing?.channels ?? shown.channels
  const columns: FinanceSums[] = [...channels, addFinance(channels)]
  for (const figure of figures) yield [said(figure, language), ...columns.map((sums) => figure.cell(sums))]
  if (shown.changed) {
    yield [said({ zh: '关账后得知', en: 'Reported after closing' }, language)]
    for (const figure of figures) yield [said(figure, language), null, null, figure.cell(shown.changed)]
  }
  yield [said(stateOf(shown), language)]
  const when = beijingTime(at)
  yield [
    said(
      {
        zh: `由 ${operator.email} 导出，${when}（北京时间）`,
        en: `Exported by ${operator.email} at ${when} (Beijing time)`,
      },
      language,
    ),
  ]
}
