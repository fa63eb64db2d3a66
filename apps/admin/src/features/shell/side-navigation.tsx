'use client'

import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import styles from './navigation.module.css'
import { FIRST_GROUP, groupOfPage, navigationGroups, type PageEntry } from './navigation.ts'
import type { NavigationForm } from './navigation-form.ts'
import { FoldingGroup, GroupPages, IconGroup } from './navigation-group.tsx'
import { useHydratedWaiting } from './use-waiting.ts'
import { walkNavigation } from './walk-navigation.ts'

type Group = PageEntry['group'] | undefined

/** Which group is open: what was pressed last, until one goes to a page of another group. */
function useOpenGroup() {
  const here = groupOfPage(usePathname())
  const [pressed, setPressed] = useState<{ here: Group; open: Group }>({ here, open: here })
  const turn = (open: Group) => setPressed({ here, open })
  if (pressed.here === here) return { open: pressed.open, turn }
  turn(here)
  return { open: here, turn }
}

type SideNavigationProps = { form?: NavigationForm; onNavigate?: () => void }

/** The pages of the console in two levels: groups, of which one at a time shows its pages. */
export function SideNavigation({ form = 'words', onNavigate }: SideNavigationProps) {
  const t = useTranslations('shell')
  const waiting = useHydratedWaiting()
  const { open, turn } = useOpenGroup()
  return (
    <nav
      aria-label={t('navigation')}
      className={styles['navigation']}
      data-form={form}
      onKeyDown={walkNavigation}
    >
      {navigationGroups().map(({ group, pages }) => {
        const shared = { group, pages, waiting, onNavigate }
        if (group === FIRST_GROUP) return <GroupPages key={group} {...shared} />
        if (form === 'icons') return <IconGroup key={group} {...shared} />
        return (
          <FoldingGroup
            key={group}
            {...shared}
            isOpen={open === group}
            turn={() => turn(open === group ? undefined : group)}
          />
        )
      })}
    </nav>
  )
}
