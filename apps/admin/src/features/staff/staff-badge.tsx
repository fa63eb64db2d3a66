import type { StaffMember } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge } from '../../ui/badge.tsx'

/** Whether somebody can come in, and with what. */
export function StaffBadge({ member }: { member: StaffMember }) {
  const t = useTranslations('staff.states')
  if (member.disabledAt)
    return (
      <Badge tone="quiet" icon="dash">
        {t('disabled')}
      </Badge>
    )
  if (member.passwordExpiresAt && member.passwordExpiresAt < new Date())
    return (
      <Badge tone="bad" icon="alert">
        {t('expired')}
      </Badge>
    )
  if (member.mustChangePassword)
    return (
      <Badge tone="wait" icon="clock">
        {t('invited')}
      </Badge>
    )
  return (
    <Badge tone="ok" icon="checkCircle">
      {t('enabled')}
    </Badge>
  )
}

/** Whether their sign-in takes an authenticator. */
export function FactorBadge({ enrolled }: { enrolled: boolean }) {
  const t = useTranslations('staff.factors')
  return (
    <Badge tone={enrolled ? 'ok' : 'quiet'} icon={enrolled ? 'shield' : 'dash'}>
      {enrolled ? t('enrolled') : t('none')}
    </Badge>
  )
}
