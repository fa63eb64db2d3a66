import { parseYuan, type RefundReason } from '@meridian/contracts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { useAnnounce } from '../../ui/announcer.tsx'

/** How much of the order number is typed to confirm. */
export const CONFIRMED_CHARACTERS = 6

const yuanOf = (fen: number) => (fen / 100).toFixed(2)

/** What is asked for, what it would do, and the act itself: one at a time, and nothing is shown as done before it is. */
export function useRefundForm({ outTradeNo, refundableFen }: { outTradeNo: string; refundableFen: number }) {
  const t = useTranslations('refunds')
  const trpc = useTRPC()
  const router = useRouter()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const [amount, setAmount] = useState(yuanOf(refundableFen))
  const [reason, setReason] = useState<RefundReason>('user_request')
  const [note, setNote] = useState('')
  const [keepDays, setKeepDays] = useState(false)
  const [confirmation, setConfirmation] = useState('')
  const amountFen = parseYuan(amount)
  const wanted = amountFen !== null && amountFen >= 1 && amountFen <= 100_000_000 ? amountFen : null
  const preview = useQuery({
    ...trpc.refund.preview.queryOptions({ outTradeNo, amountFen: wanted ?? 1, keepDays }),
    enabled: wanted !== null,
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const current = wanted !== null && !preview.isPlaceholderData ? preview.data : undefined
  const request = useMutation(
    trpc.refund.request.mutationOptions({
      onSuccess: async ({ outRefundNo, status }) => {
        announce(t(status === 'requested' ? 'waitsForSecond' : 'onItsWay'))
        await queryClient.invalidateQueries(trpc.order.pathFilter())
        router.push(paths.refund({ outRefundNo }))
      },
      onError: () => void preview.refetch(),
    }),
  )
  const submit = () => {
    if (wanted === null || !current || request.isSuccess) return
    const { reservedFen } = current
    request.mutate({ outTradeNo, amountFen: wanted, keepDays, reason, note: note.trim(), reservedFen })
  }
  return {
    ...{ amount, setAmount, reason, setReason, note, setNote, keepDays, setKeepDays },
    ...{ confirmation, setConfirmation, wanted, preview, current, request, submit },
  }
}

export type RefundForm = ReturnType<typeof useRefundForm>
