import { confirmPayment } from '../confirmed-payment.ts'
import { confirmRefund, type RefundStatus } from '../confirmed-refund.ts'
import type { FundFlowRow, TradeBillRow } from './bill.ts'
import { fenIn, scaledIn, textIn, textOrNull, timeIn } from './bill-cells.ts'
import type { BillLayout, ColumnOf } from './read-table.ts'

const columnNames = {
  tradedAt: '交易时间',
  appId: '公众账号ID',
  mchId: '商户号',
  transactionId: '微信订单号',
  outTradeNo: '商户订单号',
  payerOpenid: '用户标识',
  tradeType: '交易类型',
  tradeState: '交易状态',
  bankType: '付款银行',
  currency: '货币种类',
  settled: '应结订单金额',
  coupon: '代金券金额',
  refundId: '微信退款单号',
  outRefundNo: '商户退款单号',
  refundStatus: '退款状态',
  fee: '手续费',
  rate: '费率',
  order: '订单金额',
  refund: '申请退款金额',
} as const

type Columns = Record<keyof typeof columnNames, number>

/** The trade bill of type ALL (protocol §7.4). */
export const tradeBillLayout: BillLayout<TradeBillRow> = {
  count: '总交易单数',
  payer: columnNames.payerOpenid,
  sums: [
    { total: '应结订单总金额', of: '应结订单金额' },
    { total: '退款总金额', of: '退款金额' },
    { total: '充值券退款总金额', of: '充值券退款金额' },
    { total: '手续费总金额', of: '手续费' },
    { total: '订单总金额', of: '订单金额' },
    { total: '申请退款总金额', of: '申请退款金额' },
  ],
  rowReader: (column) => {
    const at = columnsOf(column)
    return (cells) => readRow(cells, at)
  },
}

function columnsOf(column: ColumnOf): Columns {
  const at = (name: keyof typeof columnNames) => column(columnNames[name])
  return {
    tradedAt: at('tradedAt'),
    appId: at('appId'),
    mchId: at('mchId'),
    transactionId: at('transactionId'),
    outTradeNo: at('outTradeNo'),
    payerOpenid: at('payerOpenid'),
    tradeType: at('tradeType'),
    tradeState: at('tradeState'),
    bankType: at('bankType'),
    currency: at('currency'),
    settled: at('settled'),
    coupon: at('coupon'),
    refundId: at('refundId'),
    outRefundNo: at('outRefundNo'),
    refundStatus: at('refundStatus'),
    fee: at('fee'),
    rate: at('rate'),
    order: at('order'),
    refund: at('refund'),
  }
}

type Facts = Omit<TradeBillRow, 'kind' | 'payment' | 'refund'>

function readRow(cells: readonly string[], at: Columns): TradeBillRow {
  const facts: Facts = {
    tradedAt: timeIn(cells, at.tradedAt),
    appId: textIn(cells, at.appId),
    mchId: textIn(cells, at.mchId),
    transactionId: textIn(cells, at.transactionId),
    outTradeNo: textIn(cells, at.outTradeNo),
    payerOpenid: textOrNull(cells, at.payerOpenid),
    tradeType: textIn(cells, at.tradeType),
    tradeState: textIn(cells, at.tradeState),
    bankType: textIn(cells, at.bankType),
    currency: textIn(cells, at.currency),
    orderFen: fenIn(cells, at.order),
    settledFen: fenIn(cells, at.settled),
    couponFen: fenIn(cells, at.coupon),
    refundFen: fenIn(cells, at.refund),
    feeHundredThousandths: scaledIn(cells, at.fee, 5),
    rate: textIn(cells, at.rate),
  }
  // Assigned and not spread: copying nineteen fields again is a third of the time of a row.
  if (facts.tradeState === 'SUCCESS')
    return Object.assign(facts, { kind: 'payment' as const, payment: paymentOf(facts) })
  const refund = facts.tradeState === 'REFUND' ? refundOf(facts, cells, at) : null
  return refund
    ? Object.assign(facts, { kind: 'refund' as const, refund })
    : Object.assign(facts, { kind: 'other' as const })
}

function paymentOf(facts: Facts) {
  const { outTradeNo, transactionId, currency, appId, mchId, payerOpenid, tradeType, bankType } = facts
  return confirmPayment({
    channel: 'jsapi',
    source: 'bill',
    outTradeNo,
    transactionId,
    amountFen: facts.orderFen,
    currency,
    appId,
    mchId,
    payerOpenid,
    tradeType,
    bankType: bankType === '' ? null : bankType,
    paidAt: facts.tradedAt,
  })
}

/** The bill's own words for how a refund stands; CHANGE is money that the user's account did not take. */
const refundStatuses: Readonly<Record<string, RefundStatus>> = {
  SUCCESS: 'succeeded',
  PROCESSING: 'processing',
  FAIL: 'closed',
  CHANGE: 'abnormal',
}

function refundOf(facts: Facts, cells: readonly string[], at: Columns) {
  const status = refundStatuses[textIn(cells, at.refundStatus)]
  if (status === undefined) return null
  return confirmRefund({
    channel: 'jsapi',
    source: 'bill',
    outRefundNo: textIn(cells, at.outRefundNo),
    refundId: textIn(cells, at.refundId),
    outTradeNo: facts.outTradeNo,
    transactionId: facts.transactionId,
    status,
    amountFen: facts.refundFen,
    totalFen: null,
    currency: facts.currency,
    succeededAt: status === 'succeeded' ? facts.tradedAt : null,
    mchId: facts.mchId,
  })
}

const IN = '收入'
const OUT = '支出'
const DIRECTION = '收支类型'
const AMOUNT = '收支金额(元)'

const directions: Readonly<Record<string, FundFlowRow['direction']>> = { [IN]: 'in', [OUT]: 'out' }

/** The fund-flow bill (protocol §7.4). */
export const fundFlowLayout: BillLayout<FundFlowRow> = {
  count: '资金流水总笔数',
  sums: [
    { total: '收入金额', of: AMOUNT, where: [DIRECTION, IN] },
    { total: '支出金额', of: AMOUNT, where: [DIRECTION, OUT] },
  ],
  rowReader: (column) => {
    const [bookedAt, businessNo, flowNo] = [
      column('记账时间'),
      column('微信支付业务单号'),
      column('资金流水单号'),
    ]
    const [businessName, businessType, direction] = [
      column('业务名称'),
      column('业务类型'),
      column(DIRECTION),
    ]
    const [amount, balance, submittedBy] = [
      column(AMOUNT),
      column('账户结余(元)'),
      column('资金变更提交申请人'),
    ]
    const [note, voucherNo] = [column('备注'), column('业务凭证号')]
    return (cells) => ({
      bookedAt: timeIn(cells, bookedAt),
      businessNo: textIn(cells, businessNo),
      flowNo: textIn(cells, flowNo),
      businessName: textIn(cells, businessName),
      businessType: textIn(cells, businessType),
      direction: directions[textIn(cells, direction)] ?? 'other',
      amountFen: fenIn(cells, amount),
      balanceFen: fenIn(cells, balance),
      submittedBy: textIn(cells, submittedBy),
      note: textIn(cells, note),
      voucherNo: textIn(cells, voucherNo),
    })
  },
}
