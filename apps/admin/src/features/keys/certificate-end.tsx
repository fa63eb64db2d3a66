'use client'

import { type KeyCockpit, MerchantCertificateDate } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from './keys.module.css'

type Merchant = KeyCockpit['merchant']

function EndDialog({ merchant, onClose }: { merchant: Merchant; onClose: () => void }) {
  const t = useTranslations('keys')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const [endsOn, setEndsOn] = useState(merchant.certificateEndsOn ?? '')
  const { merchantSerialNo } = merchant
  const entry = MerchantCertificateDate.safeParse({ merchantSerialNo, endsOn: endsOn.trim() })
  const enter = useMutation(
    trpc.key.enterCertificateEnd.mutationOptions({
      onSuccess: async () => {
        announce(t('endSaved'))
        onClose()
        await queryClient.invalidateQueries(trpc.key.pathFilter())
      },
    }),
  )
  return (
    <Dialog
      title={t('endDialog')}
      lead={t('endLead')}
      submitLabel={t('endSave')}
      notYet={entry.success ? null : t('endFault')}
      submitting={enter.isPending}
      failure={failureOf(enter.error)?.title ?? null}
      onSubmit={() => entry.success && enter.mutate(entry.data)}
      onClose={onClose}
    >
      <TextField
        label={t('endField')}
        hint={t('endHint')}
        fault={endsOn === '' || entry.success ? null : t('endFault')}
        type="text"
        autoComplete="off"
        value={endsOn}
        onChange={setEndsOn}
      />
    </Dialog>
  )
}

/** Until when our own certificate is valid, as somebody entered it, and the act that enters it. */
export function CertificateEnd({ merchant }: { merchant: Merchant }) {
  const t = useTranslations('keys')
  const [isEntering, setEntering] = useState(false)
  return (
    <span className={styles['stack']}>
      {merchant.certificateEndsOn ?? t('certificateEndMissing')}
      <Button size="small" onClick={() => setEntering(true)}>
        {t('enterEnd')}
      </Button>
      {isEntering && <EndDialog merchant={merchant} onClose={() => setEntering(false)} />}
    </span>
  )
}
