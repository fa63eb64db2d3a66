'use client'

import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import popupStyles from '../../ui/popup.module.css'
import { Popup } from '../../ui/popup.tsx'
import styles from './shell.module.css'

function useSignOut() {
  const t = useTranslations('shell')
  const announce = useAnnounce()
  const [leaving, setLeaving] = useState(false)
  const leave = async () => {
    setLeaving(true)
    try {
      const { signOut } = await import('next-auth/react')
      await signOut({ redirect: false })
      location.assign(paths.signIn())
    } catch {
      setLeaving(false)
      announce(t('signOutFailed'))
    }
  }
  return { leaving, leave }
}

/** Who is signed in, as what, and the way out. */
export function OperatorMenu() {
  const t = useTranslations('shell')
  const { operator } = useConsole()
  const { leaving, leave } = useSignOut()
  const name = operator.name || operator.email
  return (
    <Popup
      label={t('operatorMenu', { name })}
      align="end"
      trigger={(attributes) => (
        <IconButton {...attributes} label={t('operatorMenu', { name })}>
          <span className={styles['initial']} aria-hidden="true">
            {[...name][0]?.toUpperCase()}
          </span>
          <span className={styles['operatorName']}>{name}</span>
          <Icon name="chevronDown" size={14} />
        </IconButton>
      )}
    >
      {(close) => (
        <div className={styles['operatorMenu']}>
          <div className={styles['who']}>
            <strong>{name}</strong>
            <span>{operator.email}</span>
            <span className={styles['role']}>{t(`roles.${operator.role}`)}</span>
          </div>
          <Link href={paths.account()} prefetch={false} className={popupStyles['entry']} onClick={close}>
            <Icon name="shield" />
            {t('account')}
          </Link>
          <Link href={paths.newPassword()} prefetch={false} className={popupStyles['entry']}>
            <Icon name="key" />
            {t('changePassword')}
          </Link>
          <button type="button" className={popupStyles['entry']} disabled={leaving} onClick={leave}>
            <Icon name="signOut" />
            {t('signOut')}
          </button>
        </div>
      )}
    </Popup>
  )
}
