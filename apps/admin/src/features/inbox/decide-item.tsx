'use client'

import { approvalOf, type InboxItem, type WaitingApproval } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { DirectAct, defineAct } from '../../kit/act/define-act.tsx'
import { desks } from '../approvals/approval-words.ts'
import { useObstacle } from '../approvals/use-obstacle.ts'
import { useDecide, VerdictButton } from '../approvals/waiting-changes.tsx'
import { useItemWords } from './item-words.ts'

type ApprovalProps = { item: InboxItem; waiting: WaitingApproval }

/** The decision of each kind goes to its own noun, which checks it. */
function useDecideApproval({ kind, subject }: WaitingApproval) {
  return useDecide({
    call:
      (api) =>
      ({ id, approve }): Promise<unknown> => {
        switch (kind) {
          case 'refund':
            return api.refund.decide.mutate({ outRefundNo: subject, approve })
          case 'refund_stop':
            return api.refund.decideStop.mutate({ outRefundNo: subject, id, approve })
          case 'grant':
            return api.subscription.decideRequest.mutate({ id, verdict: approve ? 'approve' : 'reject' })
          case 'plan':
            return api.plan.decide.mutate({ id, approve })
          case 'setting':
            return api.setting.decide.mutate({ id, approve })
          case 'diagnosis':
            return api.diagnosis.decide.mutate({ id, approve })
        }
      },
    invalidates: ['inbox', 'approval'],
    refreshesOnFailure: ['inbox'],
  })
}

/** Approve and reject where it is seen; whoever asked may only withdraw it. */
function DecideApproval({ item, waiting }: ApprovalProps) {
  const { name, note } = useItemWords()(item)
  const decide = useDecideApproval(waiting)
  const obstacle = useObstacle()(waiting.obstacle)
  const shared = {
    waiting,
    permission: desks[waiting.kind].permission,
    decide,
    described: { name, changes: note },
  }
  return (
    <>
      {!waiting.isOwn && <VerdictButton {...shared} verdict="approve" obstacle={obstacle} />}
      <VerdictButton {...shared} verdict={waiting.isOwn ? 'withdraw' : 'reject'} obstacle={null} />
    </>
  )
}

const markRead = defineAct(() => useTranslations('inbox'), {
  icon: 'check',
  words: (t) => ({ label: t('markRead'), hint: t('markReadHint') }),
  act: (t) => ({
    call: (api) => api.note.seeMentions.mutate,
    invalidates: ['inbox', 'note'],
    done: () => t('wasRead'),
  }),
})

/**
 * Approvals are decided in their row, but for programs, whose every change must be read first; a mention is put away
 * there by whoever does not need the page of it.
 */
export const isDecidedHere = ({ kind, topic }: InboxItem): boolean =>
  kind === 'mention' || (kind === 'approval' && topic !== 'diagnosis')

/** What of an item can be decided in its row. */
export function DecideItem({ item }: { item: InboxItem }) {
  const waiting = approvalOf(item)
  if (item.kind === 'mention') return <DirectAct of={markRead} quiet input={{ id: item.id }} />
  if (!waiting || !isDecidedHere(item)) return null
  return <DecideApproval item={item} waiting={waiting} />
}
