'use client'

import { useTranslations } from 'next-intl'
import { useCallback, useEffect, useRef } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Brand } from './brand.tsx'
import styles from './shell.module.css'
import { SideNavigation } from './side-navigation.tsx'

/** Where the window becomes wide enough for the side navigation itself. */
const WIDE = '(min-width: 1024px)'

/** The side navigation of narrow windows: a modal dialog from the left edge. */
export function DrawerNavigation() {
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
