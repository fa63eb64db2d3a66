'use client'

import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useCallback, useEffect, useRef, useState } from 'react'
import { paths } from '../../paths.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import popupStyles from '../../ui/popup.module.css'
import { Popup } from '../../ui/popup.tsx'
import { VisuallyHidden } from '../../ui/text.tsx'
import { PaletteLauncher } from '../palette/palette-launcher.tsx'
import { forgetOpened } from '../palette/recent.ts'
import { Brand } from './brand.tsx'
import { NamesBadge, NamesEntry, useNamesSwitch } from './names-switch.tsx'
import { LanguageSwitch, ThemeSwitch } from './preference-switches.tsx'
import styles from './shell.module.css'
import { SideNavigation } from './side-navigation.tsx'

/** Read after the page: its place is kept. */
const MentionMenu = dynamic(() => import('../notes/mention-menu.tsx').then((module) => module.MentionMenu), {
  ssr: false,
  loading: () => <span className={styles['place']} />,
})

function useSignOut() {
  const t = useTranslations('shell')
  const announce = useAnnounce()
  const [leaving, setLeaving] = useState(false)
  const leave = async () => {
    setLeaving(true)
    try {
      const { signOut } = await import('next-auth/react')
      await signOut({ redirect: false })
      forgetOpened()
      location.assign(paths.signIn())
    } catch {
      setLeaving(false)
      announce(t('signOutFailed'))
    }
  }
  return { leaving, leave }
}

/** Who is signed in, as what, and the way out. */
function OperatorMenu() {
  const t = useTranslations('shell')
  const { operator } = useConsole()
  const { leaving, leave } = useSignOut()
  const names = useNamesSwitch()
  const name = operator.name || operator.email
  return (
    <>
      {names?.dialog}
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
            {names && <NamesEntry names={names} close={close} />}
            <Link href={paths.account()} prefetch={false} className={popupStyles['entry']} onClick={close}>
              <Icon name="shield" />
              {t('account')}
            </Link>
            <Link href={paths.checklist()} prefetch={false} className={popupStyles['entry']} onClick={close}>
              <Icon name="checkCircle" />
              {t('checklist')}
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
    </>
  )
}

/** Where the window becomes wide enough for the side navigation itself. */
const WIDE = '(min-width: 1024px)'

/** The side navigation of narrow windows: a modal dialog from the left edge. */
function DrawerNavigation() {
  const t = useTranslations('shell')
  const drawer = useRef<HTMLDialogElement>(null)
  const close = useCallback(() => drawer.current?.close(), [])

  useEffect(() => {
    const wide = matchMedia(WIDE)
    wide.addEventListener('change', close)
    return () => wide.removeEventListener('change', close)
  }, [close])

  return (
    <span className={styles['narrow']}>
      <IconButton label={t('openNavigation')} onClick={() => drawer.current?.showModal()}>
        <Icon name="menu" size={20} />
      </IconButton>
      <dialog
        ref={drawer}
        aria-label={t('navigation')}
        className={styles['drawer']}
        onClick={(event) => event.target === drawer.current && close()}
        onKeyDown={(event) => event.key === 'Escape' && close()}
      >
        <div className={styles['inside']}>
          <div className={styles['drawerHead']}>
            <Brand />
            <IconButton label={t('closeNavigation')} onClick={close}>
              <Icon name="close" size={20} />
            </IconButton>
          </div>
          <SideNavigation onNavigate={close} />
        </div>
      </dialog>
    </span>
  )
}

function PlatformBadge() {
  const t = useTranslations('shell')
  const { platform } = useConsole()
  if (platform === 'official') return null
  const [word, hint] =
    platform === 'sandbox' ? [t('sandbox'), t('sandboxHint')] : [t('paymentsOff'), t('paymentsOffHint')]
  return (
    <span title={hint}>
      <Badge tone="wait" icon="alert">
        {word}
        <VisuallyHidden>{hint}</VisuallyHidden>
      </Badge>
    </span>
  )
}

/** The line above every page: where one is signed in, and how one likes it. */
export function Header() {
  const t = useTranslations('shell')
  return (
    <header className={styles['header']}>
      <DrawerNavigation />
      <span className={styles['headerBrand']}>
        <Brand />
      </span>
      <PlatformBadge />
      <NamesBadge />
      <div className={styles['tools']}>
        <PaletteLauncher />
        <span className={styles['zone']} title={t('zoneHint')}>
          <Icon name="clock" />
          {t('zone')}
        </span>
        <LanguageSwitch />
        <ThemeSwitch />
        <MentionMenu />
        <OperatorMenu />
      </div>
    </header>
  )
}
