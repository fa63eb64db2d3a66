import type { UserState } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge, type Tone } from '../../ui/badge.tsx'
import type { IconName } from '../../ui/icon.tsx'

const looks: Record<UserState, { tone: Tone; icon: IconName }> = {
  active: { tone: 'ok', icon: 'checkCircle' },
  disabled: { tone: 'bad', icon: 'alert' },
  erased: { tone: 'quiet', icon: 'dash' },
}

export function UserBadge({ state }: { state: UserState }) {
  const t = useTranslations('users')
  return <Badge {...looks[state]}>{t(`states.${state}`)}</Badge>
}
