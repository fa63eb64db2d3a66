import { useTranslations } from 'next-intl'
import { Badge } from '../../ui/badge.tsx'

export function PlanBadge({ onSale }: { onSale: boolean }) {
  const t = useTranslations('plans')
  return (
    <Badge tone={onSale ? 'ok' : 'quiet'} icon={onSale ? 'checkCircle' : 'dash'}>
      {t(onSale ? 'onSale' : 'offSale')}
    </Badge>
  )
}
