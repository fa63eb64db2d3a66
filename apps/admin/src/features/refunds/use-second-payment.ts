import { parseYuan, type SecondPayment } from '@meridian/contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { useAnnounce } from '../../ui/announcer.tsx'

const yuanOf = (fen: number) => (fen / 100).toFixed(2)

/** Which payment, how much of it, and the act itself; the whole rest is proposed. */
export function useSecondPayment(outTradeNo: string) {
  const t = useTranslations('refunds')
  const trpc = useTRPC()
  const router = useRouter()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const [chosen, setChosen] = useState<string | null>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const payments = useQuery({ ...trpc.refund.secondPayments.queryOptions({ outTradeNo }), staleTime: 0 })
  const items: readonly SecondPayment[] = payments.data?.items ?? []
  const payment =
    items.find(({ transactionId }) => transactionId === chosen) ??
    items.find(({ refundableFen }) => refundableFen > 0) ??
    items[0]
  const amount = typed ?? (payment ? yuanOf(payment.refundableFen) : '')
  const request = useMutation(
    trpc.refund.returnSecondPayment.mutationOptions({
      onSuccess: async ({ outRefundNo, status }) => {
        announce(t(status === 'requested' ? 'waitsForSecond' : 'onItsWay'))
        await queryClient.invalidateQueries(trpc.order.pathFilter())
        router.push(paths.refund({ outRefundNo }))
      },
      onError: () => void payments.refetch(),
    }),
  )
  const amountFen = parseYuan(amount)
  const submit = () => {
    if (!payment || amountFen === null || request.isSuccess) return
    const { transactionId, reservedFen } = payment
    request.mutate({
      outTradeNo,
      transactionId,
      amountFen,
      reservedFen,
      reason: 'duplicate',
      note: note.trim(),
    })
  }
  return {
    ...{ payments, items, payment, setChosen, amount, setAmount: setTyped, amountFen },
    ...{ note, setNote, confirmation, setConfirmation, request, submit },
  }
}

export type SecondPaymentForm = ReturnType<typeof useSecondPayment>
