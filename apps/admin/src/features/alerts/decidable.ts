import type { ParkedOrder } from '@meridian/contracts'

/** An order on hold, with what may be decided of it. */
export type Decidable = ParkedOrder & {
  amountFen: number
  durationDays: number
  granted: boolean
  status: string
  tradeType: string | null
}

export const isLate = ({ parkReason }: { parkReason: string }) => parkReason === 'late_payment'
