const header =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
const summaryHeader =
  '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'

const rowOf = (n: number) =>
  `\`2026-01-01 10:00:00,\`wx2421b1c4370ec43b,\`1900007291,\`0,\`,\`42000020262026010${String(n).padStart(10, '0')},` +
  `\`M01HX7Y6Z5QK3V2N8${String(n).padStart(10, '0')},\`oUpF8uMuAJO_M2pxb1Q9zNjWeS6o,\`JSAPI,\`SUCCESS,\`OTHERS,\`CNY,\`79.00,\`0.00,` +
  '`0,`0,`0.00,`0.00,`,`,`季度会员 90 天,`,`0.47400,`0.60%,`79.00,`0.00,`\r\n'

const PIECE_ROWS = 200

/** The bytes of a trade bill with so many rows, made while they are read. */
export async function* billOfRows(count: number): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`\ufeff${header}\r\n`, 'utf8')
  for (let first = 0; first < count; first += PIECE_ROWS) {
    let text = ''
    for (let n = first; n < Math.min(first + PIECE_ROWS, count); n += 1) text += rowOf(n)
    yield Buffer.from(text, 'utf8')
  }
  const sum = (hundredThousandths: number) => (hundredThousandths / 100_000).toFixed(2)
  const paid = sum(count * 7_900_000)
  const fee = sum(count * 47_400)
  yield Buffer.from(
    `${summaryHeader}\r\n\`${count}.0,\`${paid},\`0.00,\`0.0,\`${fee},\`${paid},\`0.00\r\n`,
    'utf8',
  )
}
