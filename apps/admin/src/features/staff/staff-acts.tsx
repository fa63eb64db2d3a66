import type { StaffMember } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { RowLink } from '../../kit/list/row-link.tsx'
import { paths } from '../../paths.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useClock } from '../../ui/date-time.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import styles from './staff.module.css'
import { isFactorWaiting } from './staff-badge.tsx'
import type { StaffAct } from './staff-dialogs.tsx'

const ActDialog = dynamic(() => import('./staff-dialogs.tsx').then((module) => module.ActDialog), {
  ssr: false,
})

const icons: Readonly<Record<StaffAct, IconName>> = {
  changeRole: 'edit',
  resetPassword: 'key',
  confirmSecondFactor: 'check',
  resetSecondFactor: 'shield',
  unbindIdentity: 'close',
  disable: 'lock',
  enable: 'checkCircle',
}

/** Which acts make sense for this account as it stands. */
const actsFor = (member: StaffMember, now: Date): StaffAct[] => [
  'changeRole',
  'resetPassword',
  ...(isFactorWaiting(member, now) ? (['confirmSecondFactor'] as const) : []),
  ...(member.enrolled ? (['resetSecondFactor'] as const) : []),
  ...(member.bound ? (['unbindIdentity'] as const) : []),
  member.disabledAt ? 'enable' : 'disable',
]

type MemberProps = { member: StaffMember }

/** The acts on an account, and the dialog of the one that was pressed. */
function useActs(member: StaffMember) {
  const now = useClock()
  const [act, press] = useState<StaffAct | null>(null)
  const dialog = act && <ActDialog act={act} member={member} onClose={() => press(null)} />
  return { acts: actsFor(member, now), press, dialog }
}

/** The acts on an account, on its page. */
export function StaffActs({ member }: MemberProps) {
  const t = useTranslations('staff.acts')
  const { acts, press, dialog } = useActs(member)
  return (
    <div className={styles['acts']}>
      {acts.map((act) => (
        <Button key={act} danger={act === 'disable'} onClick={() => press(act)}>
          {t(`${act}.button`)}
        </Button>
      ))}
      {dialog}
    </div>
  )
}

/** The same as signs in its row, and the way to what they did. */
export function StaffRowActs({ member }: MemberProps) {
  const t = useTranslations('staff')
  const { acts, press, dialog } = useActs(member)
  return (
    <>
      <RowLink href={paths.audit({ operator: member.email })} icon="scroll" label={t('actsLink')} />
      {acts.map((act) => (
        <IconButton key={act} label={t(`acts.${act}.button`)} onClick={() => press(act)}>
          <Icon name={icons[act]} />
        </IconButton>
      ))}
      {dialog}
    </>
  )
}
