import { DAYS_ALONE_PER_MONTH, type DaysPreview } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { formatTime } from '../../../format.ts'
import { ActPreview } from '../../../kit/act/act-preview.tsx'
import { useFeatureName } from '../use-feature-name.ts'

/** What pressing the button would do, by the rule that does it. */
export function DaysPreviewPanel({ preview, busy }: { preview: DaysPreview; busy: boolean }) {
  const t = useTranslations('subscriptions')
  const nameOf = useFeatureName()
  const { expiresBefore, expiresAfter, remainingBefore, remainingAfter } = preview
  const { usedThisMonth, needsSecondPerson } = preview
  const facts = [
    {
      key: 'remaining',
      term: t('dialog.remaining'),
      value: t('dialog.change', {
        from: t('days', { days: remainingBefore }),
        to: t('days', { days: remainingAfter }),
      }),
    },
    {
      key: 'ends',
      term: t('columns.expiresAt'),
      value: t('dialog.change', {
        from: expiresBefore ? formatTime(expiresBefore) : t('dialog.never'),
        to: formatTime(expiresAfter),
      }),
    },
    ...preview.features.map(({ feature, expiresAfter: until }) => ({
      key: feature,
      term: nameOf(feature),
      value: t('dialog.until', { time: formatTime(until) }),
    })),
    {
      key: 'used',
      term: t('dialog.usedThisMonth'),
      value: t('dialog.ofAlone', { used: usedThisMonth, alone: DAYS_ALONE_PER_MONTH }),
    },
  ]
  return (
    <ActPreview
      title={t('dialog.preview')}
      busy={busy}
      facts={facts}
      secondPerson={needsSecondPerson ? t('dialog.secondPerson', { alone: DAYS_ALONE_PER_MONTH }) : null}
    />
  )
}
