export const mismatch = {
  caption: 'Fields that differ',
  field: 'Field',
  ours: 'Our records',
  theirs: 'Platform',
  fields: {
    amountFen: 'Amount',
    currency: 'Currency',
    appId: 'Mini-program app ID',
    mchId: 'Merchant ID',
    out_trade_no: 'Order number',
    transaction_id: 'WeChat transaction ID',
    refund: 'Refund amount',
    total: 'Order amount',
    merchant: 'Merchant ID',
    refund_id: 'Platform refund number',
  },
} as const
