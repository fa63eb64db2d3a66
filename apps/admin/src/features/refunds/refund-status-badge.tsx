import type { RefundStatus } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge, type Tone } from '../../ui/badge.tsx'
import type { IconName } from '../../ui/icon.tsx'

const looks: Record<RefundStatus, { tone: Tone; icon: IconName }> = {
  requested: { tone: 'wait', icon: 'clock' },
  approved: { tone: 'info', icon: 'check' },
  processing: { tone: 'info', icon: 'sync' },
  succeeded: { tone: 'back', icon: 'refund' },
  closed: { tone: 'quiet', icon: 'close' },
  abnormal: { tone: 'bad', icon: 'alert' },
  rejected: { tone: 'quiet', icon: 'dash' },
}

export function RefundStatusBadge({ status }: { status: RefundStatus }) {
  const t = useTranslations('refunds.statuses')
  return <Badge {...looks[status]}>{t(status)}</Badge>
}
