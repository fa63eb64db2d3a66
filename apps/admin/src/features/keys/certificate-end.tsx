'use client'

import { type KeyCockpit, MerchantCertificateDate } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { z } from 'zod'
import { daysBetween, truncateMiddle } from '../../format.ts'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useToday } from '../../ui/date-time.tsx'
import styles from './keys.module.css'

const SOON_DAYS = 30

/** How long a key or a certificate is valid yet. */
export function DaysLeftBadge({ daysLeft }: { daysLeft: number }) {
  const t = useTranslations('keys')
  const tone = daysLeft < 0 ? 'bad' : daysLeft <= SOON_DAYS ? 'wait' : 'ok'
  return (
    <Badge tone={tone} icon={tone === 'ok' ? 'checkCircle' : 'alert'}>
      {daysLeft < 0 ? t('over') : t('daysLeft', { days: daysLeft })}
    </Badge>
  )
}

type Merchant = NonNullable<KeyCockpit['merchant']>

/** A date is pasted with what stands around it. */
const TypedDate = MerchantCertificateDate.extend({
  endsOn: z.string().trim().pipe(MerchantCertificateDate.shape.endsOn),
})

function EndDialog({ merchant, onClose }: { merchant: Merchant; onClose: () => void }) {
  const t = useTranslations('keys')
  const { merchantSerialNo, certificateEndsOn } = merchant
  const enter = useAct({
    call: (api) => api.key.enterCertificateEnd.mutate,
    invalidates: ['key'],
    done: () => t('endSaved'),
  })
  const words = { label: t('endField'), hint: t('endHint'), fault: t('endFault') }
  return (
    <FormDialog
      title={t('endDialog', { serial: truncateMiddle(merchantSerialNo) })}
      lead={t('endLead')}
      submitLabel={t('endSave')}
      schema={TypedDate}
      start={{ merchantSerialNo, endsOn: certificateEndsOn ?? '' }}
      incomplete={t('endNotYet')}
      fields={[{ kind: 'large', type: 'text', name: 'endsOn', ...words }]}
      act={enter}
      onClose={onClose}
    />
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
