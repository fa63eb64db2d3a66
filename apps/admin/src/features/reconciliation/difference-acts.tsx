'use client'

import type { Difference } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Input } from '../../ui/input.tsx'
import styles from './reconciliation.module.css'

const SHORTEST_WORD = 4

function ResolveDialog({ difference, onClose }: { difference: Difference; onClose: () => void }) {
  const t = useTranslations('reconciliation')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const [resolution, setResolution] = useState('')
  const resolve = useMutation(
    trpc.reconciliation.resolve.mutationOptions({
      onSuccess: async () => {
        announce(t('resolved'))
        onClose()
        await queryClient.invalidateQueries(trpc.reconciliation.pathFilter())
      },
    }),
  )
  return (
    <Dialog
      title={t('resolveTitle', { kind: t(`kinds.${difference.kind}`) })}
      lead={t('resolveLead')}
      submitLabel={t('resolve')}
      disabledReason={resolution.trim().length < SHORTEST_WORD ? t('wordNeeded') : null}
      submitting={resolve.isPending}
      failure={failureOf(resolve.error)?.title ?? null}
      onSubmit={() => resolve.mutate({ id: difference.id, resolution: resolution.trim() })}
      onClose={onClose}
    >
      <Field label={t('word')} hint={t('wordHint')}>
        {(attributes) => (
          <Input.TextArea
            {...attributes}
            rows={3}
            maxLength={500}
            value={resolution}
            onChange={(event) => setResolution(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}

/** Take it, or say how it ended. */
export function DifferenceActs({ difference }: { difference: Difference }) {
  const t = useTranslations('reconciliation')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const forbidden = useForbidden('reconciliation.resolve')
  const [resolving, setResolving] = useState(false)
  const take = useMutation(
    trpc.reconciliation.take.mutationOptions({
      onSuccess: async () => {
        announce(t('taken'))
        await queryClient.invalidateQueries(trpc.reconciliation.pathFilter())
      },
      onError: (error) => announce(failureOf(error)?.title ?? ''),
    }),
  )
  const reason = forbidden && t('forbidden', forbidden)
  return (
    <span className={styles['acts']}>
      <ActionButton
        icon={<Icon name="inbox" />}
        quiet
        busy={take.isPending}
        hint={t('takeHint')}
        disabledReason={reason}
        onPress={() => take.mutate({ id: difference.id })}
      >
        {t('take')}
      </ActionButton>
      <ActionButton
        icon={<Icon name="check" />}
        quiet
        busy={false}
        hint={t('resolveHint')}
        disabledReason={reason}
        onPress={() => setResolving(true)}
      >
        {t('resolve')}
      </ActionButton>
      {resolving && <ResolveDialog difference={difference} onClose={() => setResolving(false)} />}
    </span>
  )
}
