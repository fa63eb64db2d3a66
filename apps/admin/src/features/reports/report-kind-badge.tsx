import type { ReportKind } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge } from '../../ui/badge.tsx'

export function ReportKindBadge({ kind }: { kind: ReportKind }) {
  const t = useTranslations('reports.kinds')
  return (
    <Badge tone={kind === 'scan' ? 'info' : 'back'} icon={kind === 'scan' ? 'search' : 'pulse'}>
      {t(kind)}
    </Badge>
  )
}
