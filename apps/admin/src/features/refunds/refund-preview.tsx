import { formatFen, type RefundPreview } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { formatTime } from '../../format.ts'
import { ActPreview } from '../../kit/act/act-preview.tsx'
import { Notice } from '../../ui/notice.tsx'

/** What pressing the button would do, by the rules that do it. */
export function RefundPreviewPanel({ preview, busy }: { preview: RefundPreview; busy: boolean }) {
  const t = useTranslations('refunds')
  const { expiresBefore, expiresAfter, remainingBefore, remainingAfter, needsSecondPerson, thresholdFen } =
    preview
  const end = (time: Date | null) => (time ? formatTime(time) : t('preview.none'))
  const facts = [
    { key: 'refundable', term: t('preview.refundable'), value: formatFen(preview.refundableFen) },
    {
      key: 'used',
      term: t('preview.used'),
      value: t('preview.usedTakenLeft', {
        used: preview.daysUsed,
        taken: preview.daysTakenBack,
        left: preview.daysLeft,
      }),
    },
    { key: 'taken', term: t('preview.taken'), value: t('days', { days: preview.daysTaken }) },
    {
      key: 'remaining',
      term: t('preview.remaining'),
      value: t('preview.change', {
        from: t('days', { days: remainingBefore }),
        to: t('days', { days: remainingAfter }),
      }),
    },
    {
      key: 'ends',
      term: t('preview.ends'),
      value: t('preview.change', { from: end(expiresBefore), to: end(expiresAfter) }),
    },
  ]
  return (
    <ActPreview
      title={t('preview.title')}
      busy={busy}
      facts={facts}
      secondPerson={
        needsSecondPerson ? t('preview.secondPerson', { threshold: formatFen(thresholdFen) }) : null
      }
    >
      {preview.obstacle && <Notice tone="bad">{t(`obstacles.${preview.obstacle}`)}</Notice>}
    </ActPreview>
  )
}
