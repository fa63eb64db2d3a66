/** What differs between what was agreed and what the platform said. */
export const mismatch = {
  caption: '不一致的字段',
  field: '字段',
  ours: '我方',
  theirs: '平台',
  fields: {
    amountFen: '金额',
    currency: '币种',
    appId: '小程序 AppID',
    mchId: '商户号',
    out_trade_no: '订单号',
    transaction_id: '微信支付单号',
    refund: '退款金额',
    total: '订单金额',
    merchant: '商户号',
    refund_id: '微信退款单号',
  },
} as const
