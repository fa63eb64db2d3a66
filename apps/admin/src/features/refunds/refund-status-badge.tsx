import type { RefundState } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge, type Look, Sign } from '../../ui/badge.tsx'
import styles from './refunds.module.css'

const looks: Record<RefundState, Look> = {
  requested: { tone: 'wait' },
  approved: { tone: 'info' },
  processing: { tone: 'info', icon: 'sync' },
  succeeded: { tone: 'back' },
  closed: { tone: 'quiet', icon: 'close' },
  abnormal: { tone: 'bad' },
  rejected: { tone: 'quiet' },
  refused: { tone: 'bad' },
  stopped: { tone: 'quiet', icon: 'close' },
}

type RefundStatusBadgeProps = {
  state: RefundState
  /** The platform said another end, and nobody has decided yet. */
  contradicted?: boolean
  /** In the row of a list. */
  signs?: boolean
}

export function RefundStatusBadge({ state, contradicted = false, signs = false }: RefundStatusBadgeProps) {
  const t = useTranslations('refunds')
  return (
    <span className={styles['badges']}>
      <Badge {...looks[state]}>{t(`statuses.${state}`)}</Badge>
      {contradicted &&
        (signs ? (
          <Sign tone="bad" word={t('contradiction.badge')} />
        ) : (
          <Badge tone="bad">{t('contradiction.badge')}</Badge>
        ))}
    </span>
  )
}
