'use client'

import type { OrderSnapshot, ReplayEffect } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useMessages, useTranslations } from 'next-intl'
import { useFailure, useTRPC } from '../../../api-client/api-provider.tsx'
import { ConfirmDialog } from '../../../kit/act/confirm-dialog.tsx'
import { defineDialogAct } from '../../../kit/act/define-act.tsx'
import { useAct } from '../../../kit/act/use-act.ts'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import styles from '../notifications.module.css'
import type { RevealProps } from './reveal-dialog.tsx'

/** What would be different afterwards, word by word. */
function useChanges(): (
  before: OrderSnapshot,
  after: OrderSnapshot,
) => { key: string; term: string; value: string }[] {
  const t = useTranslations('notifications')
  const statuses: Readonly<Record<string, string>> = useMessages().notifications.orderStatuses
  const line = (key: string, term: string, [from, to]: [string, string]) => ({
    key,
    term,
    value: from === to ? t('stays', { value: to }) : t('change', { from, to }),
  })
  return (before, after) => [
    line('status', t('orderStatus'), [
      statuses[before.status] ?? before.status,
      statuses[after.status] ?? after.status,
    ]),
    line('days', t('remaining'), [
      t('days', { days: before.remainingDays }),
      t('days', { days: after.remainingDays }),
    ]),
  ]
}

function Effect({ effect }: { effect: ReplayEffect }) {
  const t = useTranslations('notifications')
  const words = useTranslations('order.notificationOutcomes')
  const changesOf = useChanges()
  const reasons: Readonly<Record<string, string>> = useMessages().notifications.reasons
  const { refusal, outcome, before, after } = effect
  if (refusal) return <Notice tone="bad">{t('refused', { reason: reasons[refusal] ?? refusal })}</Notice>
  const changes = before && after ? changesOf(before, after) : []
  return (
    <section className={styles['effect']} aria-label={t('effect')}>
      <DescriptionList
        items={[{ key: 'outcome', term: t('outcome'), value: outcome && words(outcome) }, ...changes]}
        wide
      />
      {!before && <Notice tone="wait">{t('noOrder')}</Notice>}
      {after?.parked && <Notice tone="wait">{t('willPark')}</Notice>}
    </section>
  )
}

/** First a dry run, which is the replay itself, undone; the button then does it. */
function ReplayDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslations('notifications')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const words = useTranslations('order.notificationOutcomes')
  const dry = useQuery({ ...trpc.notification.dryRun.queryOptions({ id }), staleTime: 0, gcTime: 0 })
  const replay = useAct({
    call: (api) => api.notification.replay.mutate,
    invalidates: ['notification', 'alert'],
    done: ({ outcome }) => t('replayed', { outcome: outcome ? words(outcome) : '' }),
  })
  return (
    <ConfirmDialog
      title={t('replayTitle')}
      lead={t('replayLead')}
      submitLabel={t('replay')}
      disabledReason={!dry.data ? t('dryRunning') : dry.data.refusal ? t('cannotReplay') : null}
      failure={(replay.failure ?? failureOf(dry.error))?.title}
      act={replay}
      input={{ id }}
      onClose={onClose}
    >
      {dry.data ? <Effect effect={dry.data} /> : <Skeleton height={96} />}
    </ConfirmDialog>
  )
}

export const replayNotification = defineDialogAct(() => useTranslations('notifications'), {
  icon: 'sync',
  permission: 'notification.replay',
  words: (t) => ({
    label: t('dryRun'),
    hint: t('dryRunHint'),
    forbidden: (who) => t('replayForbidden', who),
  }),
  dialog: ({ id }: { id: string }, close) => <ReplayDialog id={id} onClose={close} />,
})

const RevealDialog = dynamic(() => import('./reveal-dialog.tsx').then((module) => module.RevealDialog), {
  ssr: false,
})

/** The bytes as they came, for a reason that is kept. */
export const revealPayload = defineDialogAct(() => useTranslations('notifications'), {
  icon: 'eye',
  permission: 'notification.payload',
  words: (t) => ({
    label: t('reveal'),
    hint: t('revealHint'),
    forbidden: (who) => t('revealForbidden', who),
  }),
  dialog: ({ id, onShown }: RevealProps, close) => <RevealDialog id={id} onShown={onShown} onClose={close} />,
})
