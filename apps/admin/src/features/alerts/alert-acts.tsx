'use client'

import type { AlertRow } from '@meridian/contracts'
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
      disabledReason={resolution.trim().length < SHORTEST_WORD ? t('noteNeeded') : null}
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

/** Makes the alert the operator's own. */
export function TakeAlert({ id }: { id: string }) {
  const t = useTranslations('alerts')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const announce = useAnnounce()
  const done = useDone()
  const forbidden = useForbidden('alert.resolve')
  const take = useMutation(
    trpc.alert.take.mutationOptions({
      onSuccess: () => done(t('taken')),
      onError: (error) => announce(failureOf(error)?.title ?? ''),
    }),
  )
  return (
    <ActionButton
      icon={<Icon name="inbox" />}
      quiet
      busy={take.isPending}
      hint={t('takeHint')}
      disabledReason={forbidden && t('forbidden', forbidden)}
      onPress={() => take.mutate({ id })}
    >
      {t('take')}
    </ActionButton>
  )
}

/** Says in a note how the alert ended. */
export function ResolveAlert({ id, kind, quiet }: { id: string; kind: string; quiet: boolean }) {
  const t = useTranslations('alerts')
  const forbidden = useForbidden('alert.resolve')
  const [resolving, setResolving] = useState(false)
  return (
    <>
      <ActionButton
        icon={<Icon name="check" />}
        quiet={quiet}
        busy={false}
        hint={t('resolveHint')}
        disabledReason={forbidden && t('forbidden', forbidden)}
        onPress={() => setResolving(true)}
      >
        {t('resolve')}
      </ActionButton>
      {resolving && <ResolveDialog id={id} kind={kind} onClose={() => setResolving(false)} />}
    </>
  )
}

/** The one next step of a row: somebody takes it, then whoever has it says how it ended. */
export function AlertRowAct({ alert: { id, ownerEmail }, kind }: { alert: AlertRow; kind: string }) {
  return ownerEmail === null ? <TakeAlert id={id} /> : <ResolveAlert id={id} kind={kind} quiet />
}
