import { RowAct } from '../../kit/act/row-act.tsx'
import { syncOrder } from './sync-order.ts'

/** Asks the platform about the order of a row. */
export const SyncRow = ({ outTradeNo }: { outTradeNo: string }) => (
  <RowAct of={syncOrder} input={{ outTradeNo }} />
)
