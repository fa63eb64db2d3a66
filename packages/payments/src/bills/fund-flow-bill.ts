import type { FundFlowRow } from './bill.ts'
import { fenIn, textIn, timeIn } from './read-cells.ts'
import type { BillLayout } from './read-table.ts'

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
