import type { FeatureClock } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge } from '../../../ui/badge.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import layout from '../../../ui/layout.module.css'
import { Panel } from '../../../ui/panel.tsx'
import { useFeatureName } from '../use-feature-name.ts'
import styles from './detail.module.css'

/** Each feature has a clock of its own. */
export function FeatureClocks({ clocks }: { clocks: readonly FeatureClock[] }) {
  const t = useTranslations('subscriptions')
  const nameOf = useFeatureName()
  return (
    <Panel title={t('clocks')}>
      {clocks.length === 0 && <p className={layout['note']}>{t('noClocks')}</p>}
      <ul className={styles['clocks']}>
        {clocks.map(({ feature, expiresAt, isUsable }) => (
          <li key={feature}>
            <span>{nameOf(feature)}</span>
            <Badge tone={isUsable ? 'ok' : 'quiet'}>{t(isUsable ? 'usable' : 'unusable')}</Badge>
            <span className={styles['until']}>
              {expiresAt ? <DateTime time={expiresAt} relative /> : t('freeForAll')}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
