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

type WordDialogProps = {
  title: string
  lead: string
  submitting?: boolean
  failure?: string | null
  onSubmit: (resolution: string) => void
  onClose: () => void
}

/** How it ended, in a word. */
export function WordDialog({ submitting = false, failure = null, onSubmit, ...dialog }: WordDialogProps) {
  const t = useTranslations('alerts')
  const [resolution, setResolution] = useState('')
  return (
    <Dialog
      {...dialog}
      submitLabel={t('resolve')}
      notYet={resolution.trim().length < SHORTEST_WORD ? t('noteNeeded') : null}
      submitting={submitting}
      failure={failure}
      onSubmit={() => onSubmit(resolution.trim())}
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

function ResolveDialog({ id, kind, onClose }: { id: string; kind: string; onClose: () => void }) {
  const t = useTranslations('alerts')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const done = useDone()
  const resolve = useMutation(
    trpc.alert.resolve.mutationOptions({
      onSuccess: async () => {
        onClose()
        await done(t('resolved'))
      },
    }),
  )
  return (
    <WordDialog
      title={t('resolveTitle', { kind })}
      lead={t('resolveLead')}
      submitting={resolve.isPending}
      failure={failureOf(resolve.error)?.title ?? null}
      onSubmit={(resolution) => resolve.mutate({ id, resolution })}
      onClose={onClose}
    />
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
