'use client'

import { formatFen, type RefundDetail, RefundRedirect } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../../kit/act/act-button.tsx'
import { DialogAct, DirectAct, defineAct, defineDialogAct } from '../../../kit/act/define-act.tsx'
import { FormDialog } from '../../../kit/act/form-dialog.tsx'
import { useAct } from '../../../kit/act/use-act.ts'
import type { Forbidden } from '../../../session/operator-context.tsx'
import layout from '../../../ui/layout.module.css'
import { useObstacle } from '../../approvals/use-obstacle.ts'
import styles from '../refunds.module.css'
import { useRequester } from '../use-requester.ts'
import { DecideContradiction } from './decide-contradiction.tsx'
import { StopRefund } from './stop-refund.tsx'

const destinations = ['merchant_bank_card', 'user_bank_card'] as const
const cardFields = ['bankType', 'bankAccount', 'realName'] as const

/** The choice of the destination, and, where it is the payer's bank card, which card. */
function useDestinationFields() {
  const t = useTranslations('refunds')
  const options = destinations.map((value) => ({ value, label: t(`destinations.${value}`) }))
  const looks = { className: layout['rows'] ?? '', optionClassName: styles['check'] ?? '' }
  const destination = { kind: 'choice', name: 'to', label: t('destination'), options, ...looks } as const
  const card = cardFields.map(
    (name) =>
      ({
        kind: 'line',
        name,
        label: t(`card.${name}`),
        hint: t(`cardHints.${name}`),
        maxLength: 64,
      }) as const,
  )
  return (to: string) => (to === 'user_bank_card' ? [destination, ...card] : [destination])
}

/** Sends an abnormal refund elsewhere; what is typed here goes to the platform and is kept nowhere. */
function RedirectDialog({ refund, onClose }: { refund: RefundDetail; onClose: () => void }) {
  const t = useTranslations('refunds')
  const fieldsFor = useDestinationFields()
  const { outRefundNo, amountFen } = refund
  const redirect = useAct({
    call: (api) => api.refund.redirect.mutate,
    invalidates: ['refund'],
    done: ({ state }) => t('nowIs', { status: t(`statuses.${state}`) }),
  })
  return (
    <FormDialog
      title={t('redirectTitle', { amount: formatFen(amountFen) })}
      lead={t('redirectLead')}
      submitLabel={t('redirect')}
      danger
      schema={RefundRedirect}
      start={{ outRefundNo, to: 'merchant_bank_card' as const }}
      incomplete={t('missing.card')}
      fields={fieldsFor('merchant_bank_card')}
      vary={({ to }) => ({ fields: fieldsFor(to) })}
      act={redirect}
      onClose={onClose}
    />
  )
}

const redirectRefund = defineDialogAct(() => useTranslations('refunds'), {
  icon: 'refund',
  permission: 'refund.retry',
  words: (t) => ({
    label: t('redirect'),
    hint: t('redirectHint'),
    forbidden: (who) => t('retryForbidden', who),
  }),
  dialog: ({ refund }: { refund: RefundDetail }, close) => <RedirectDialog refund={refund} onClose={close} />,
})

type RefundProps = { refund: RefundDetail }

/** What both verdicts ask and say. */
function useVerdict(refund: RefundDetail, approve: boolean) {
  const t = useTranslations('refunds')
  const by = useRequester()(refund)
  const { outRefundNo, amountFen, note } = refund
  const amount = formatFen(amountFen)
  const act = useAct({
    call: (api) => api.refund.decide.mutate,
    invalidates: ['refund'],
    done: () => t(approve ? 'approved' : 'rejected', { amount }),
  })
  return {
    act,
    input: { outRefundNo, approve },
    confirm: {
      title: t(approve ? 'approveTitle' : 'rejectTitle', { amount }),
      lead: t(approve ? 'approveLead' : 'rejectLead', { by }),
      submitLabel: t(approve ? 'approveAmount' : 'rejectAmount', { amount }),
      danger: approve,
      children: note,
    },
    permission: 'refund.approve',
    forbidden: (who: Forbidden) => t('approveForbidden', who),
  } as const
}

/** The second person's choice; whoever asked may only take it back. */
function Decide({ refund }: RefundProps) {
  const t = useTranslations('refunds')
  const obstacleOf = useObstacle()
  return (
    <>
      <ActButton
        icon="check"
        label={t('approve')}
        hint={t('approveHint')}
        obstacle={obstacleOf(refund.obstacle)}
        {...useVerdict(refund, true)}
      />
      <ActButton
        icon="close"
        label={t(refund.isOwn ? 'withdraw' : 'reject')}
        hint={t('rejectHint')}
        quiet
        {...useVerdict(refund, false)}
      />
    </>
  )
}

/** Asks the platform now, or submits again what it never accepted. */
const retryRefund = defineAct(() => useTranslations('refunds'), {
  icon: 'sync',
  permission: 'refund.retry',
  words: (t) => ({ label: t('retry'), hint: t('retryHint'), forbidden: (who) => t('retryForbidden', who) }),
  act: (t) => ({
    call: (api) => api.refund.retry.mutate,
    invalidates: ['refund'],
    done: ({ state }) => t('nowIs', { status: t(`statuses.${state}`) }),
  }),
})

/** What can be done with a refund where it stands. */
export function RefundActs({ refund }: RefundProps) {
  const { status, state } = refund
  return (
    <span className={layout['badges']}>
      {refund.contradiction?.decidedAt === null && <DecideContradiction refund={refund} />}
      {status === 'requested' && <Decide refund={refund} />}
      {status === 'abnormal' && <DialogAct of={redirectRefund} refund={refund} />}
      {(status === 'approved' || status === 'processing' || status === 'abnormal') && (
        <DirectAct
          of={retryRefund}
          input={{ outRefundNo: refund.outRefundNo }}
          quiet={status === 'abnormal'}
        />
      )}
      {state === 'refused' && <StopRefund refund={refund} />}
    </span>
  )
}
