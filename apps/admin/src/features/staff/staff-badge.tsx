import type { StaffMember } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { formatTime } from '../../format.ts'
import { Badge } from '../../ui/badge.tsx'
import { useClock } from '../../ui/date-time.tsx'
import layout from '../../ui/layout.module.css'
import styles from './staff.module.css'

/** Whether somebody can come in, and with what. */
export function StaffBadge({ member }: { member: StaffMember }) {
  const t = useTranslations('staff.states')
  const now = useClock()
  if (member.disabledAt) return <Badge tone="quiet">{t('disabled')}</Badge>
  if (member.passwordExpiresAt && member.passwordExpiresAt < now)
    return <Badge tone="bad">{t('expired')}</Badge>
  if (member.mustChangePassword) return <Badge tone="wait">{t('invited')}</Badge>
  return <Badge tone="ok">{t('enabled')}</Badge>
}

/** Whether their second factor is too new to prove who they are. */
export const isFactorWaiting = (
  { factorTrustedFrom }: Pick<StaffMember, 'factorTrustedFrom'>,
  now: Date,
): boolean => factorTrustedFrom !== null && factorTrustedFrom > now

/** The same in words, for rows: the badge of a row says whether somebody can come in. */
export function FactorWords({ member }: { member: Pick<StaffMember, 'enrolled' | 'factorTrustedFrom'> }) {
  const t = useTranslations('staff.factors')
  const now = useClock()
  const { enrolled, factorTrustedFrom } = member
  if (!factorTrustedFrom || !isFactorWaiting(member, now)) return t(enrolled ? 'enrolled' : 'none')
  return (
    <span className={`${layout['lines']} ${layout['start']} ${styles['factor']}`}>
      {t('waiting')}
      <span className={styles['note']}>{t('waitingUntil', { time: formatTime(factorTrustedFrom) })}</span>
    </span>
  )
}

/** Whether their sign-in takes an authenticator, and whether it proves who they are yet. */
export function FactorBadge({ member }: { member: Pick<StaffMember, 'enrolled' | 'factorTrustedFrom'> }) {
  const t = useTranslations('staff.factors')
  const now = useClock()
  const { enrolled, factorTrustedFrom } = member
  if (factorTrustedFrom && isFactorWaiting(member, now))
    return (
      <span className={`${layout['lines']} ${layout['start']} ${styles['factor']}`}>
        <Badge tone="wait">{t('waiting')}</Badge>
        <span className={styles['note']}>{t('waitingUntil', { time: formatTime(factorTrustedFrom) })}</span>
      </span>
    )
  return (
    <Badge tone={enrolled ? 'ok' : 'quiet'} icon={enrolled ? 'shield' : 'dash'}>
      {enrolled ? t('enrolled') : t('none')}
    </Badge>
  )
}
