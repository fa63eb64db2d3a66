'use client'

import { useTranslations } from 'next-intl'
import { useCallback, useEffect, useRef } from 'react'
import { useConsole } from '../../session/operator-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { PaletteLauncher } from '../palette/palette-launcher.tsx'
import { Brand } from './brand.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { OperatorMenu } from './operator-menu.tsx'
import styles from './shell.module.css'
import { SideNavigation } from './side-navigation.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

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
      <div className={styles['tools']}>
        <PaletteLauncher />
        <span className={styles['zone']} title={t('zoneHint')}>
          <Icon name="clock" />
          {t('zone')}
        </span>
        <LanguageSwitch />
        <ThemeSwitch />
        <OperatorMenu />
      </div>
    </header>
  )
}
