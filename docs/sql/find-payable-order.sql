SELECT amount_fen AS "amountFen", currency, app_id AS "appId", mch_id AS "mchId",
payer_openid AS "payerOpenid", transaction_id AS "transactionId"
FROM orders WHERE out_trade_no = $1
