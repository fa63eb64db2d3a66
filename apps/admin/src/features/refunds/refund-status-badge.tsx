import type { RefundStatus } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge, type Tone } from '../../ui/badge.tsx'
import type { IconName } from '../../ui/icon.tsx'
import styles from './refunds.module.css'

const looks: Record<RefundStatus, { tone: Tone; icon: IconName }> = {
  requested: { tone: 'wait', icon: 'clock' },
  approved: { tone: 'info', icon: 'check' },
  processing: { tone: 'info', icon: 'sync' },
  succeeded: { tone: 'back', icon: 'refund' },
  closed: { tone: 'quiet', icon: 'close' },
  abnormal: { tone: 'bad', icon: 'alert' },
  rejected: { tone: 'quiet', icon: 'dash' },
}

type RefundStatusBadgeProps = {
  status: RefundStatus
  /** The platform said another end, and nobody has decided yet. */
  contradicted?: boolean
}

export function RefundStatusBadge({ status, contradicted = false }: RefundStatusBadgeProps) {
  const t = useTranslations('refunds')
  return (
    <span className={styles['badges']}>
      <Badge {...looks[status]}>{t(`statuses.${status}`)}</Badge>
      {contradicted && (
        <Badge tone="bad" icon="alert">
          {t('contradiction.badge')}
        </Badge>
      )}
    </span>
  )
}
