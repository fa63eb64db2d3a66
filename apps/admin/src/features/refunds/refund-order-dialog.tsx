'use client'

import { type OrderStatus, standingObstacleOf } from '@meridian/contracts'
import dynamic from 'next/dynamic'

const AppleRefundDialog = dynamic(
  () => import('./apple-refund-dialog.tsx').then((module) => module.AppleRefundDialog),
  { ssr: false },
)

const RefundDialog = dynamic(() => import('./refund-dialog.tsx').then((module) => module.RefundDialog), {
  ssr: false,
})

type Refundable = {
  outTradeNo: string
  status: OrderStatus
  parked: boolean
  tradeType: string | null
  refundableFen: number
}

/** Asks for a refund of the order, or, where Apple took the money, says how its user gets it back from Apple. */
export function RefundOrderDialog({ order, onClose }: { order: Refundable; onClose: () => void }) {
  const { outTradeNo, refundableFen } = order
  return standingObstacleOf(order) === 'by_apple' ? (
    <AppleRefundDialog outTradeNo={outTradeNo} onClose={onClose} />
  ) : (
    <RefundDialog outTradeNo={outTradeNo} refundableFen={refundableFen} onClose={onClose} />
  )
}
