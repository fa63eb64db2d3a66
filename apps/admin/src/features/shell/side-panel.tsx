'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { keepPreference } from '../../cookies.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Brand } from './brand.tsx'
import navigationStyles from './navigation.module.css'
import { NAVIGATION_COOKIE, type NavigationForm } from './navigation-form.ts'
import styles from './shell.module.css'
import { SideNavigation } from './side-navigation.tsx'

/** The left edge of wide windows: the navigation, in the form this operator likes. */
export function SidePanel({ form: sent }: { form: NavigationForm }) {
  const t = useTranslations('shell')
  const [form, setForm] = useState(sent)
  const isFolded = form === 'icons'
  const turn = () => {
    const next = isFolded ? 'words' : 'icons'
    keepPreference(NAVIGATION_COOKIE, next)
    setForm(next)
  }
  return (
    <aside className={styles['side']} data-form={form}>
      <div className={styles['sideBrand']}>
        <Brand />
      </div>
      <SideNavigation form={form} />
      <div className={navigationStyles['fold']}>
        <IconButton label={t(isFolded ? 'unfoldNavigation' : 'foldNavigation')} onClick={turn}>
          <Icon name={isFolded ? 'unfold' : 'fold'} size={18} />
        </IconButton>
      </div>
    </aside>
  )
}
