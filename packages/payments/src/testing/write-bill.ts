import { chinaTime } from '../endpoints/orders.ts'
import type { PlatformState } from './platform-state.ts'
import type { BillDifference, PlatformOrder, PlatformPayment, PlatformRefund } from './platform-types.ts'

const tradeColumns =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
const tradeSummary =
  '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'
const flowColumns =
  '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号'
const flowSummary = '资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额'

/** The platform keeps 0.6 % of a payment: six hundred-thousandths of a yuan for each fen. */
const FEE_PER_FEN = 6

/** An integer of its last place as a decimal text. */
export function decimal(value: number, places: number): string {
  const digits = String(Math.abs(value)).padStart(places + 1, '0')
  return `${value < 0 ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

const yuan = (fen: number) => decimal(fen, 2)
const billTime = (time: Date) => chinaTime(time).slice(0, 19).replace('T', ' ')
const row = (fields: readonly string[]) => fields.map((field) => `\`${field}`).join(',')
const table = (lines: readonly string[]) => `\ufeff${lines.join('\r\n')}\r\n`

type Entry = {
  at: Date
  order: PlatformOrder
  payment: PlatformPayment
  refund: PlatformRefund | null
  /** Fen of the order in a payment row, of the refund in a refund row. */
  amountFen: number
}

/** Everything of one day in China, from the platform's own orders, with the differences planted in it. */
function entriesOf(state: PlatformState, date: string): Entry[] {
  const entries: Entry[] = []
  for (const order of state.orders.values()) {
    for (const payment of order.payments) {
      entries.push({ at: payment.paidAt, order, payment, refund: null, amountFen: order.amountFen })
    }
  }
  for (const refund of state.refunds.values()) {
    const order = state.orders.get(refund.outTradeNo)
    const payment = order?.payments.find(({ transactionId }) => transactionId === refund.transactionId)
    if (!order || !payment) continue
    entries.push({ at: refund.createdAt, order, payment, refund, amountFen: refund.amountFen })
  }
  const ofDay = entries.filter(({ at }) => chinaTime(at).slice(0, 10) === date)
  return ofDay
    .flatMap((entry) => altered(entry, state.billDifferences))
    .sort((a, b) => a.at.getTime() - b.at.getTime())
}

function altered(entry: Entry, differences: readonly BillDifference[]): Entry[] {
  const difference = differences.find(
    ({ outTradeNo, outRefundNo }) =>
      (outTradeNo === entry.order.outTradeNo && entry.refund === null) ||
      (outRefundNo !== undefined && outRefundNo === entry.refund?.outRefundNo),
  )
  if (!difference) return [entry]
  if (difference.kind === 'missing') return []
  if (difference.kind === 'twice') return [entry, entry]
  return [{ ...entry, amountFen: entry.amountFen + (difference.byFen ?? 1) }]
}

const refundWords = {
  SUCCESS: 'SUCCESS',
  PROCESSING: 'PROCESSING',
  CLOSED: 'FAIL',
  ABNORMAL: 'CHANGE',
} as const

function tradeRow({ at, order, payment, refund, amountFen }: Entry): string {
  const paidFen = refund ? 0 : amountFen
  const refundFen = refund ? amountFen : 0
  return row([
    billTime(at),
    order.appId,
    order.mchId,
    '0',
    '',
    payment.transactionId,
    order.outTradeNo,
    payment.payerOpenid,
    'JSAPI',
    refund ? 'REFUND' : 'SUCCESS',
    payment.bankType,
    order.currency,
    yuan(paidFen),
    '0.00',
    refund?.refundId ?? '0',
    refund?.outRefundNo ?? '0',
    yuan(refundFen),
    '0.00',
    refund ? 'ORIGINAL' : '',
    refund ? refundWords[refund.status] : '',
    order.description,
    order.attach ?? '',
    decimal((paidFen - refundFen) * FEE_PER_FEN, 5),
    '0.60%',
    yuan(paidFen),
    yuan(refundFen),
    '',
  ])
}

/** The trade bill of a day (protocol §7.4); null when nothing was traded. */
export function writeTradeBill(state: PlatformState, date: string): string | null {
  const entries = entriesOf(state, date)
  if (entries.length === 0) return null
  const sum = (of: (entry: Entry) => number) => entries.reduce((total, entry) => total + of(entry), 0)
  const paidFen = sum(({ refund, amountFen }) => (refund ? 0 : amountFen))
  const refundFen = sum(({ refund, amountFen }) => (refund ? amountFen : 0))
  const feeFen = Math.round(((paidFen - refundFen) * FEE_PER_FEN) / 1000)
  const summary = [
    `${entries.length}.0`,
    yuan(paidFen),
    yuan(refundFen),
    '0.00',
    yuan(feeFen),
    yuan(paidFen),
    yuan(refundFen),
  ]
  return table([tradeColumns, ...entries.map(tradeRow), tradeSummary, row(summary)])
}

type Flow = { entry: Entry; name: string; out: boolean; fen: number }

function flowsOf(entry: Entry): Flow[] {
  if (entry.refund) return [{ entry, name: '退款', out: true, fen: entry.amountFen }]
  const feeFen = Math.round((entry.amountFen * FEE_PER_FEN) / 1000)
  return [
    { entry, name: '交易', out: false, fen: entry.amountFen },
    ...(feeFen > 0 ? [{ entry, name: '扣除交易手续费', out: true, fen: feeFen }] : []),
  ]
}

/** The fund-flow bill of a day (protocol §7.4); null when nothing moved. */
export function writeFundFlowBill(state: PlatformState, date: string): string | null {
  const flows = entriesOf(state, date).flatMap(flowsOf)
  if (flows.length === 0) return null
  const feeByType = state.billDifferences.some(({ kind }) => kind === 'fee_by_type')
  let balance = 0
  const rows = flows.map(({ entry, name, out, fen }, at) => {
    balance += out ? -fen : fen
    const { payment, order, refund } = entry
    const flowNo = `${payment.transactionId.slice(5)}${String(at).padStart(4, '0')}`
    const fields = [
      billTime(entry.at),
      refund?.refundId ?? payment.transactionId,
      flowNo,
      feeByType ? '交易' : name,
      name,
      out ? '支出' : '收入',
    ]
    return row([...fields, yuan(fen), yuan(balance), 'system', '', refund?.outRefundNo ?? order.outTradeNo])
  })
  const count = (out: boolean) => `${flows.filter((flow) => flow.out === out).length}.0`
  const sum = (out: boolean) =>
    yuan(flows.reduce((total, flow) => total + (flow.out === out ? flow.fen : 0), 0))
  const summary = [`${flows.length}.0`, count(false), sum(false), count(true), sum(true)]
  return table([flowColumns, ...rows, flowSummary, row(summary)])
}
