'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'

type WithdrawProps = { version: number }

function WithdrawDialog({ version, onClose }: WithdrawProps & { onClose: () => void }) {
  const t = useTranslations('diagnosis')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const withdraw = useMutation(
    trpc.diagnosis.withdraw.mutationOptions({
      onSuccess: (desk) => {
        announce(t('withdrawn'))
        onClose()
        queryClient.setQueryData(trpc.diagnosis.desk.queryKey(), desk)
      },
    }),
  )
  return (
    <Dialog
      title={t('withdraw', { version })}
      lead={t('withdrawLead')}
      submitLabel={t('withdraw', { version })}
      submitting={withdraw.isPending}
      failure={failureOf(withdraw.error)?.title ?? null}
      danger
      onSubmit={() => withdraw.mutate({ version })}
      onClose={onClose}
    >
      {null}
    </Dialog>
  )
}

/** Takes the published version back, at once: it reaches every phone, so it is asked once more. */
export function WithdrawPublished({ version }: WithdrawProps) {
  const t = useTranslations('diagnosis')
  const forbidden = useForbidden('diagnosis.publish')
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton
        icon={<Icon name="refund" />}
        quiet
        busy={false}
        hint={t('withdrawHint')}
        disabledReason={forbidden && t('forbidden', forbidden)}
        onPress={() => setOpen(true)}
      >
        {t('withdraw', { version })}
      </ActionButton>
      {open && <WithdrawDialog version={version} onClose={() => setOpen(false)} />}
    </>
  )
}
