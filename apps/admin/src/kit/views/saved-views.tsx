'use client'

import type { SavedView } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { type MouseEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { VisuallyHidden } from '../../ui/text.tsx'
import { useSavedViews } from './use-saved-views.ts'
import styles from './views.module.css'

const SaveDialog = dynamic(() => import('./view-dialogs.tsx').then((module) => module.SaveDialog), {
  ssr: false,
})
const ViewActs = dynamic(() => import('./view-dialogs.tsx').then((module) => module.ViewActs), { ssr: false })

function ViewTab({ href, current, view }: { href: string; current: boolean; view: SavedView | null }) {
  const t = useTranslations('views')
  // Filters are changed in place, like those beside the list; with a key held, the view opens as an address.
  const press = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    history.pushState(null, '', href)
  }
  const sharedBy = view?.everybody
    ? t(view.mine ? 'sharedByYou' : 'sharedBy', { email: view.ownerEmail })
    : null
  return (
    <li>
      <a
        href={href}
        aria-current={current ? 'true' : undefined}
        onClick={press}
        {...(sharedBy && { title: sharedBy })}
      >
        {view?.name ?? t('all')}
        {sharedBy && (
          <>
            <Icon name="users" size={14} />
            <VisuallyHidden>{sharedBy}</VisuallyHidden>
          </>
        )}
      </a>
    </li>
  )
}

function SaveButton({ page, query, views }: { page: string; query: string; views: readonly SavedView[] }) {
  const t = useTranslations('views')
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        look="text"
        icon={<Icon name="plus" />}
        disabled={query === ''}
        title={t(query === '' ? 'saveNothing' : 'saveLead')}
        onClick={() => setOpen(true)}
      >
        {t('save')}
      </Button>
      {open && <SaveDialog page={page} query={query} views={views} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The list as it was kept under names: one's own views and those that are shared. The address remains the state. */
export function SavedViews() {
  const t = useTranslations('views')
  const { page, query, items, failed, active, hrefOf } = useSavedViews()
  return (
    <div className={styles['views']}>
      <nav className={styles['tabs']} aria-label={t('label')}>
        <ul>
          <ViewTab href={hrefOf('')} current={query === ''} view={null} />
          {items.map((view) => (
            <ViewTab key={view.id} href={hrefOf(view.query)} current={view === active} view={view} />
          ))}
        </ul>
      </nav>
      {failed && <span className={styles['failed']}>{t('failed')}</span>}
      <div className={styles['acts']}>
        {active ? (
          <ViewActs page={page} view={active} views={items} />
        ) : (
          <SaveButton page={page} query={query} views={items} />
        )}
      </div>
    </div>
  )
}
