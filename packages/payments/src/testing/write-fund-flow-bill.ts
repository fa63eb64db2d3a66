import { billTime, type Entry, entriesOf, FEE_PER_FEN, row, table, yuan } from './bill-rows.ts'
import type { PlatformState } from './platform-state.ts'

const flowColumns =
  '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号'
const flowSummary = '资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额'

type Flow = { entry: Entry; name: string; out: boolean; fen: number }

function flowsOf(entry: Entry): Flow[] {
  if (entry.refund) return [{ entry, name: '退款', out: true, fen: entry.amountFen }]
  const feeFen = Math.round((entry.amountFen * FEE_PER_FEN) / 1000)
  return [
    { entry, name: '交易', out: false, fen: entry.amountFen },
    ...(feeFen > 0 ? [{ entry, name: '扣除交易手续费', out: true, fen: feeFen }] : []),
  ]
}

export type FundAccount = 'BASIC' | 'OPERATION' | 'FEES'

/**
 * Payments, their fees and refunds move on the basic account. Red packets and transfers, which move on the operation
 * account, and fees that a merchant pays in advance, which move on the account of fees, do not exist here.
 */
const movesOn: Record<FundAccount, (entry: Entry) => Flow[]> = {
  BASIC: flowsOf,
  OPERATION: () => [],
  FEES: () => [],
}

/** The fund-flow bill of a day and an account (protocol §7.4); null when nothing moved on it. */
export const writeFundFlowBill =
  (account: FundAccount) =>
  (state: PlatformState, date: string): string | null => {
    const flows = entriesOf(state, date).flatMap(movesOn[account])
    if (flows.length === 0) return null
    const feeByType = state.billDifferences.some(({ kind }) => kind === 'fee_by_type')
    let balance = 0
    const rows = flows.map((flow, at) => {
      balance += flow.out ? -flow.fen : flow.fen
      return flowRow(flow, { at, balance, feeByType })
    })
    const count = (out: boolean) => `${flows.filter((flow) => flow.out === out).length}.0`
    const sum = (out: boolean) =>
      yuan(flows.reduce((total, flow) => total + (flow.out === out ? flow.fen : 0), 0))
    const summary = [`${flows.length}.0`, count(false), sum(false), count(true), sum(true)]
    return table([flowColumns, ...rows, flowSummary, row(summary)])
  }

type Place = { at: number; balance: number; feeByType: boolean }

function flowRow({ entry, name, out, fen }: Flow, { at, balance, feeByType }: Place): string {
  const { payment, order, refund } = entry
  return row([
    billTime(entry.at),
    refund?.refundId ?? payment.transactionId,
    `${payment.transactionId.slice(5)}${String(at).padStart(4, '0')}`,
    feeByType ? '交易' : name,
    name,
    out ? '支出' : '收入',
    yuan(fen),
    yuan(balance),
    'system',
    '',
    refund?.outRefundNo ?? order.outTradeNo,
  ])
}
