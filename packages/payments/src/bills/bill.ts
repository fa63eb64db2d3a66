import type { Confirmed } from '../confirmed-refund.ts'

/** One row of the trade bill (protocol §7.4), amounts converted exactly from yuan to fen. */
export type TradeBillRow = {
  tradedAt: Date
  appId: string
  mchId: string
  transactionId: string
  outTradeNo: string
  payerOpenid: string | null
  tradeType: string
  tradeState: string
  bankType: string
  currency: string
  /** 订单金额; zero in refund rows. */
  orderFen: number
  /** 应结订单金额. */
  settledFen: number
  /** 代金券金额. */
  couponFen: number
  /** 申请退款金额; zero in payment rows. */
  refundFen: number
  /** 手续费 in hundred-thousandths of a yuan, as the bill has five decimals. */
  feeHundredThousandths: number
  rate: string
} & (Confirmed | { kind: 'other' })

/** One movement of money on an account of the merchant (protocol §7.4), amounts in fen. */
export type FundFlowRow = {
  bookedAt: Date
  businessNo: string
  flowNo: string
  businessName: string
  businessType: string
  direction: 'in' | 'out' | 'other'
  amountFen: number
  balanceFen: number
  submittedBy: string
  note: string
  voucherNo: string
}

/**
 * A bill whose bytes have been checked against the hash of a verified answer before the first row is given out.
 * `rows` may be read once and throws `malformed_answer` where a row or, at the end, the summary does not hold.
 * Call `discard` when it is not read to the end.
 */
export type ReadyBill<Row> = {
  state: 'ready'
  requestId: string | null
  /** SHA-1 over the plain bytes as they came, hexadecimal. */
  sha1: string
  rows: () => AsyncIterable<Row>
  /** The plain CSV bytes for keeping, the column that names the payer emptied. */
  bytes: () => AsyncIterable<Uint8Array>
  discard: () => Promise<void>
}

/** `no_statement`: nothing was traded that day. `creating`: ask again in half an hour (protocol §7.3). */
export type AbsentBill = { state: 'no_statement' | 'creating'; requestId: string | null }

/** The payments and refunds of a day, or why there is no bill (protocol §7). */
export type TradeBill = ReadyBill<TradeBillRow> | AbsentBill
/** The movements of money of a day, or why there is no bill (protocol §7.1, §7.4). */
export type FundFlowBill = ReadyBill<FundFlowRow> | AbsentBill
