'use client'

import type { AlertDetail } from '@meridian/contracts'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { DecideContradiction } from '../../refunds/detail/decide-contradiction.tsx'

/** Which of the two ends of the refund holds. */
export function DecideContradictionAct({ alert: { outRefundNo } }: { alert: AlertDetail }) {
  const trpc = useTRPC()
  const { data: refund } = useQuery(
    trpc.refund.detail.queryOptions(outRefundNo ? { outRefundNo } : skipToken),
  )
  return refund?.contradicted ? <DecideContradiction refund={refund} /> : null
}
