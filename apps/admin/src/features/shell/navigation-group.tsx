'use client'

import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useId } from 'react'
import { Icon } from '../../ui/icon.tsx'
import { Popup } from '../../ui/popup.tsx'
import { VisuallyHidden } from '../../ui/text.tsx'
import { groupCount } from './group-count.ts'
import styles from './navigation.module.css'
import { groupIcons, isOn, type PageEntry } from './navigation.ts'
import { NavigationEntry, WaitingCount } from './navigation-entry.tsx'
import type { Waiting } from './use-waiting.ts'

export type GroupProps = {
  group: PageEntry['group']
  pages: readonly PageEntry[]
  waiting: Waiting
  onNavigate?: (() => void) | undefined
}

/** The pages themselves, the second level. */
export function GroupPages({ pages, waiting, onNavigate }: Omit<GroupProps, 'group'>) {
  return (
    <ul>
      {pages.map((entry) => (
        <li key={entry.key}>
          <NavigationEntry entry={entry} waiting={waiting} onNavigate={onNavigate} />
        </li>
      ))}
    </ul>
  )
}

const useIsHere = (pages: readonly PageEntry[]): boolean => {
  const pathname = usePathname()
  return pages.some(({ href }) => isOn(href, pathname))
}

/** What of a closed group is read out after its name. */
function WaitingWords({ id, count }: { id: string; count: string | null }) {
  const t = useTranslations('shell')
  if (count === null) return null
  return (
    <VisuallyHidden>
      <span id={id}>{t('waitingCount', { waiting: count })}</span>
    </VisuallyHidden>
  )
}

type FoldingGroupProps = GroupProps & { isOpen: boolean; turn: () => void }

/** A group of the first level: Enter or a press opens its pages beneath it, → and ← open and close them. */
export function FoldingGroup({ group, pages, waiting, onNavigate, isOpen, turn }: FoldingGroupProps) {
  const t = useTranslations('shell')
  const ids = { pages: useId(), count: useId() }
  const isHere = useIsHere(pages)
  const count = isOpen ? null : groupCount(pages, waiting)
  return (
    <div data-group={group}>
      <button
        type="button"
        className={styles['head']}
        aria-expanded={isOpen}
        aria-controls={ids.pages}
        aria-describedby={count ? ids.count : undefined}
        data-here={(isHere && !isOpen) || undefined}
        onClick={turn}
      >
        <Icon name={groupIcons[group]} size={18} />
        <span className={styles['word']}>{t(`groups.${group}`)}</span>
        {count && <WaitingCount count={count} tone={group} />}
        <Icon name={isOpen ? 'chevronUp' : 'chevronDown'} size={14} />
      </button>
      <WaitingWords id={ids.count} count={count} />
      <div id={ids.pages} className={styles['pages']} hidden={!isOpen}>
        <GroupPages pages={pages} waiting={waiting} onNavigate={onNavigate} />
      </div>
    </div>
  )
}

/** The same where the navigation is folded to icons: its pages open beside it. */
export function IconGroup({ group, pages, waiting }: GroupProps) {
  const t = useTranslations('shell')
  const id = useId()
  const isHere = useIsHere(pages)
  const count = groupCount(pages, waiting)
  const name = t(`groups.${group}`)
  return (
    <>
      <Popup
        label={name}
        align="beside"
        trigger={(attributes) => (
          <button
            type="button"
            className={styles['head']}
            aria-label={name}
            aria-describedby={count ? id : undefined}
            title={name}
            data-here={isHere || undefined}
            {...attributes}
          >
            <Icon name={groupIcons[group]} size={18} />
            {count && <WaitingCount count={count} tone={group} />}
          </button>
        )}
      >
        {(close) => (
          <div className={styles['beside']}>
            <strong>{name}</strong>
            <GroupPages pages={pages} waiting={waiting} onNavigate={close} />
          </div>
        )}
      </Popup>
      <WaitingWords id={id} count={count} />
    </>
  )
}
