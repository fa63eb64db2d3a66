'use client'

import { type KeyCockpit, MerchantCertificateDate } from '@meridian/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { daysBetween, truncateMiddle } from '../../format.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useToday } from '../../ui/clock.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { DaysLeftBadge } from './days-left-badge.tsx'
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
      title={t('endDialog', { serial: truncateMiddle(merchantSerialNo) })}
      lead={t('endLead')}
      submitLabel={t('endSave')}
      disabledReason={entry.success ? null : t('endNotYet')}
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

/** The last day, and how far it is; in words where nobody entered it. */
function EndsOn({ endsOn }: { endsOn: string | null }) {
  const t = useTranslations('keys')
  const today = useToday()
  if (endsOn === null)
    return (
      <Badge tone="wait" icon="alert">
        {t('certificateEndMissing')}
      </Badge>
    )
  return (
    <>
      <DaysLeftBadge daysLeft={daysBetween(today, endsOn)} />
      {endsOn}
    </>
  )
}

/** Until when our own certificate is valid, as somebody entered it, and the act that enters it. */
export function CertificateEnd({ merchant }: { merchant: Merchant }) {
  const t = useTranslations('keys')
  const [isEntering, setEntering] = useState(false)
  const { certificateEndsOn: endsOn } = merchant
  return (
    <span className={styles['end']}>
      <EndsOn endsOn={endsOn} />
      <Button onClick={() => setEntering(true)}>{t(endsOn === null ? 'enterEnd' : 'changeEnd')}</Button>
      {endsOn === null && <span className={styles['note']}>{t('certificateEndWhy')}</span>}
      {isEntering && <EndDialog merchant={merchant} onClose={() => setEntering(false)} />}
    </span>
  )
}
