import type { RefundState } from './refund-status.ts'

/** Whether the platform is at it, or about to be asked: what follows comes by itself. */
export const isRefundUnderWay = ({ state }: { state: RefundState }): boolean =>
  state === 'approved' || state === 'processing'
