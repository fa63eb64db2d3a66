'use client'

import { useTranslations } from 'next-intl'
import { useConsole } from '../../session/operator-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { PaletteLauncher } from '../palette/palette-launcher.tsx'
import { Brand } from './brand.tsx'
import { DrawerNavigation } from './drawer-navigation.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { OperatorMenu } from './operator-menu.tsx'
import styles from './shell.module.css'
import { ThemeSwitch } from './theme-switch.tsx'

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
