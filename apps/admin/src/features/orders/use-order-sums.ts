import { EXACT_COUNT_LIMIT, formatFen, type OrderFilter, type OrderTotals } from '@meridian/contracts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'

/** What the platform kept, and of how many payments that is known; nothing where it is of none. */
function useFeeWords(): (totals: OrderTotals) => string | null {
  const t = useTranslations('orders')
  return ({ feeFen, feeOrders: known, paidOrders: paid }) => {
    if (known === 0) return null
    const amount = formatFen(feeFen)
    return known < paid ? t('feesOfSome', { amount, known, paid }) : t('fees', { amount })
  }
}

/** How many orders the filters leave, and their money: taken, given back, left, and what it cost; null until it is known. */
export function useOrderSums(filter: OrderFilter): string | null {
  const t = useTranslations('orders')
  const feesOf = useFeeWords()
  const query = useTRPC().order.totals.queryOptions(filter)
  const { data: totals, isError } = useQuery({ ...query, placeholderData: keepPreviousData })
  if (isError) return t('totalsFailed')
  if (!totals) return null
  const { count, more, paidOrders } = totals
  const amount = formatFen(totals.amountFen)
  const gross = formatFen(totals.grossFen)
  // What is read of more than can be counted is whichever rows were found first: it bounds no net.
  if (more && paidOrders > 0) return t('moneyMore', { count: EXACT_COUNT_LIMIT, gross })
  if (more) return t('totalsMore', { count: EXACT_COUNT_LIMIT, amount })
  if (paidOrders === 0) return t('totals', { count, amount })
  const refunded = formatFen(totals.refundedFen)
  const money = t('money', { count, gross, refunded, net: formatFen(totals.netFen) })
  return [money, feesOf(totals)].filter((part) => part !== null).join(' · ')
}
