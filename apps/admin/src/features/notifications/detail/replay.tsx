'use client'

import type { OrderSnapshot, ReplayEffect } from '@meridian/contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMessages, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { useForbidden } from '../../../session/use-forbidden.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { DescriptionList } from '../../../ui/description-list.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import styles from '../notifications.module.css'

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
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const words = useTranslations('order.notificationOutcomes')
  const dry = useQuery({ ...trpc.notification.rehearse.queryOptions({ id }), staleTime: 0, gcTime: 0 })
  const replay = useMutation(
    trpc.notification.replay.mutationOptions({
      onSuccess: async ({ outcome }) => {
        announce(t('replayed', { outcome: outcome ? words(outcome) : '' }))
        onClose()
        const read = [trpc.notification.pathFilter(), trpc.alert.pathFilter()]
        await Promise.all(read.map((filter) => queryClient.invalidateQueries(filter)))
      },
    }),
  )
  const disabledReason = !dry.data ? t('rehearsing') : dry.data.refusal ? t('cannotReplay') : null
  return (
    <Dialog
      title={t('replayTitle')}
      lead={t('replayLead')}
      submitLabel={t('replay')}
      disabledReason={disabledReason}
      submitting={replay.isPending}
      failure={failureOf(replay.error ?? dry.error)?.title ?? null}
      onSubmit={() => replay.mutate({ id })}
      onClose={onClose}
    >
      {dry.data ? <Effect effect={dry.data} /> : <Skeleton height={96} />}
    </Dialog>
  )
}

export function Replay({ id }: { id: string }) {
  const t = useTranslations('notifications')
  const forbidden = useForbidden('notification.replay')
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton
        icon={<Icon name="sync" />}
        busy={false}
        hint={t('dryRunHint')}
        disabledReason={forbidden && t('replayForbidden', forbidden)}
        onPress={() => setOpen(true)}
      >
        {t('dryRun')}
      </ActionButton>
      {open && <ReplayDialog id={id} onClose={() => setOpen(false)} />}
    </>
  )
}
