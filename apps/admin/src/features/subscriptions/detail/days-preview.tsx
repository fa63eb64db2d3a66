import { DAYS_ALONE_PER_MONTH, type DaysPreview } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { formatTime } from '../../../format.ts'
import { DescriptionList } from '../../../ui/description-list.tsx'
import layout from '../../../ui/layout.module.css'
import { Notice } from '../../../ui/notice.tsx'
import { useFeatureName } from '../use-feature-name.ts'

/** What pressing the button would do, by the rule that does it. */
export function DaysPreviewPanel({ preview, busy }: { preview: DaysPreview; busy: boolean }) {
  const t = useTranslations('subscriptions')
  const nameOf = useFeatureName()
  const { expiresBefore, expiresAfter, remainingBefore, remainingAfter, usedThisMonth } = preview
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
    <section
      className={layout['preview']}
      aria-label={t('dialog.preview')}
      aria-live="polite"
      aria-busy={busy}
      data-busy={busy || undefined}
    >
      <h3>{t('dialog.preview')}</h3>
      <DescriptionList items={facts} wide />
      {preview.needsSecondPerson && (
        <Notice tone="wait" icon="clock">
          {t('dialog.secondPerson', { alone: DAYS_ALONE_PER_MONTH })}
        </Notice>
      )}
    </section>
  )
}
