'use client'

import type { AlertRow } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Input } from 'antd'
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
import styles from './alerts.module.css'

const SHORTEST_WORD = 2

function useDone() {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  return async (said: string) => {
    announce(said)
    await queryClient.invalidateQueries(trpc.alert.pathFilter())
  }
}

function ResolveDialog({ id, kind, onClose }: { id: string; kind: string; onClose: () => void }) {
  const t = useTranslations('alerts')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const done = useDone()
  const [resolution, setResolution] = useState('')
  const resolve = useMutation(
    trpc.alert.resolve.mutationOptions({
      onSuccess: async () => {
        onClose()
        await done(t('resolved'))
      },
    }),
  )
  return (
    <Dialog
      title={t('resolveTitle', { kind })}
      lead={t('resolveLead')}
      submitLabel={t('resolve')}
      notYet={resolution.trim().length < SHORTEST_WORD ? t('noteNeeded') : null}
      submitting={resolve.isPending}
      failure={failureOf(resolve.error)?.title ?? null}
      onSubmit={() => resolve.mutate({ id, resolution: resolution.trim() })}
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
export function AlertActs({ alert, kind }: { alert: AlertRow; kind: string }) {
  const t = useTranslations('alerts')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const announce = useAnnounce()
  const done = useDone()
  const forbidden = useForbidden('alert.resolve')
  const [resolving, setResolving] = useState(false)
  const take = useMutation(
    trpc.alert.take.mutationOptions({
      onSuccess: () => done(t('taken')),
      onError: (error) => announce(failureOf(error)?.title ?? ''),
    }),
  )
  const reason = forbidden && t('forbidden', forbidden)
  return (
    <span className={styles['acts']}>
      <ActionButton
        icon={<Icon name="inbox" />}
        busy={take.isPending}
        hint={t('takeHint')}
        disabledReason={reason}
        onPress={() => take.mutate({ id: alert.id })}
      >
        {t('take')}
      </ActionButton>
      <ActionButton
        icon={<Icon name="check" />}
        busy={false}
        hint={t('resolveHint')}
        disabledReason={reason}
        onPress={() => setResolving(true)}
      >
        {t('resolve')}
      </ActionButton>
      {resolving && <ResolveDialog id={alert.id} kind={kind} onClose={() => setResolving(false)} />}
    </span>
  )
}
