import type { UserState } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge, type Look } from '../../ui/badge.tsx'

const looks: Record<UserState, Look> = {
  active: { tone: 'ok' },
  disabled: { tone: 'bad' },
  erased: { tone: 'quiet' },
}

export function UserBadge({ state }: { state: UserState }) {
  const t = useTranslations('users')
  return <Badge {...looks[state]}>{t(`states.${state}`)}</Badge>
}
