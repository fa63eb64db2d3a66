'use client'

import { type AtHand, numberWithin, type SearchHit } from '@meridian/contracts'
import { Command } from 'cmdk'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { paths } from '../../paths.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'
import { useThemeChoice } from '../../ui/theme/theme-provider.tsx'
import type { NamesSwitch } from '../shell/names-switch.tsx'
import { mayOpen, navigation } from '../shell/navigation.ts'
import { FoundHits, nearestOf, type Search, useAtHand, useSearch } from './found-hits.tsx'
import { describeHit, exactHit, itemValue, pageOfNumber } from './hits.ts'
import styles from './palette.module.css'
import { Row } from './palette-row.tsx'
import type { Pinning } from './pin-button.tsx'
import { TaggedLists } from './tagged-lists.tsx'

type PaletteProps = {
  onClose: () => void
  showKeys: () => void
  /** Shows or masks the names of users; null for who may not. */
  names: NamesSwitch | null
  /** Pins the thing whose page is open; null on other pages. */
  pinning: Pinning | null
}

function Commands({ go, onClose, showKeys, names, pinning }: PaletteProps & { go: (href: string) => void }) {
  const t = useTranslations('palette')
  const shell = useTranslations('shell')
  const { choose } = useThemeChoice()
  const { role } = useConsole().operator
  const paint = (theme: 'light' | 'dark') => {
    choose(theme)
    onClose()
  }
  return (
    <>
      <Command.Group heading={t('pages')}>
        {navigation
          .filter((entry) => mayOpen(entry, role))
          .map(({ key, icon, href }) => (
            <Row key={key} icon={icon} text={shell(`pages.${key}`)} choose={() => go(href)} />
          ))}
        <Row icon="shield" text={shell('account')} choose={() => go(paths.account())} />
      </Command.Group>
      <Command.Group heading={t('commands')}>
        {pinning && (
          <Row
            icon={pinning.isPinned ? 'pinOff' : 'pin'}
            text={pinning.label}
            choose={() => {
              onClose()
              pinning.press()
            }}
          />
        )}
        {names && (
          <Row
            icon={names.icon}
            text={names.label}
            choose={() => {
              onClose()
              names.press()
            }}
          />
        )}
        <Row icon="moon" text={t('dark')} choose={() => paint('dark')} />
        <Row icon="sun" text={t('light')} choose={() => paint('light')} />
        <Row icon="key" text={shell('changePassword')} choose={() => go(paths.newPassword())} />
        <Row icon="menu" text={t('keys.title')} choose={showKeys} />
      </Command.Group>
    </>
  )
}

type Choosing = Search & { text: string; nearest: string | null }

/**
 * What Enter opens: the first hit as soon as there is one, also when Enter was pressed before it came. While nothing is
 * typed the first thing at hand, unless the arrow keys have chosen before it came.
 */
function useChosen({ text, hits, searching, nearest }: Choosing, go: (hit: SearchHit) => void) {
  const [value, setValue] = useState('')
  const [entered, setEntered] = useState<string | null>(null)
  const [hasMoved, setHasMoved] = useState(false)
  const first = hits[0]
  useEffect(() => {
    if (nearest && !hasMoved) setValue(nearest)
  }, [nearest, hasMoved])
  useEffect(() => {
    // A name may be anybody's: it never takes Enter from a page or a command that is chosen already.
    if (first) setValue((chosen) => (first.matched === 'nickname' && chosen ? chosen : itemValue(first)))
  }, [first])
  const awaited = entered === text ? exactHit(hits, text) : undefined
  const open = useEffectEvent(go)
  useEffect(() => {
    if (awaited) open(awaited)
  }, [awaited])
  const pressKey = ({ key, nativeEvent }: KeyboardEvent) => {
    if (key === 'ArrowDown' || key === 'ArrowUp') setHasMoved(true)
    if (key === 'Enter' && searching && !nativeEvent.isComposing) setEntered(text)
  }
  return { value, setValue, pressKey }
}

/** The browser's own modal dialog, with the cursor in its field. */
function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    // The browser would give the focus to what surrounds the field.
    element?.querySelector('input')?.focus()
    return () => element?.close()
  }, [])
  return dialog
}

function ThingsAtHand({ pinned, recent, go }: AtHand & { go: (hit: SearchHit) => void }) {
  const t = useTranslations('palette')
  return (
    <>
      <FoundHits heading={t('pinned')} hits={pinned} go={go} />
      <FoundHits heading={t('recent')} hits={recent} go={go} />
    </>
  )
}

/** A whole number opens its page, another one is taken out of what it was pasted with. */
const pasting =
  (go: (href: string) => void, setText: (text: string) => void) =>
  (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text').trim()
    const [page, number] = [pageOfNumber(pasted), numberWithin(pasted)]
    if (page === null && number === pasted) return
    event.preventDefault()
    if (page === null) setText(number)
    else go(page)
  }

/** Copies the number of the hit that is chosen, unless some of what is typed is selected. */
function useCopying({ hits }: Search, { pinned, recent }: AtHand, chosen: string) {
  const t = useTranslations('palette')
  const announce = useAnnounce()
  return (event: ClipboardEvent<HTMLInputElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget
    const hit = [...hits, ...pinned, ...recent].find((one) => itemValue(one) === chosen)
    if (selectionStart !== selectionEnd || !hit) return
    const { id } = describeHit(hit)
    event.preventDefault()
    event.clipboardData.setData('text/plain', id)
    announce(t('copied', { id }))
  }
}

/** Finds orders, refunds, users and devices by what is known of them, and pages and commands by their names. */
export function Palette({ onClose, showKeys, names, pinning }: PaletteProps) {
  const t = useTranslations('palette')
  const router = useRouter()
  const dialog = useModal()
  const [text, setText] = useState('')
  const go = (href: string) => {
    onClose()
    router.push(href)
  }
  const open = (hit: SearchHit) => go(describeHit(hit).href)
  const search = useSearch(text)
  const atHand = useAtHand(text)
  const chosen = useChosen({ ...search, text, nearest: nearestOf(atHand) }, open)
  const paste = pasting(go, setText)
  const copy = useCopying(search, atHand, chosen.value)
  return (
    <dialog
      ref={dialog}
      className={styles['palette']}
      aria-label={t('title')}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <Command
        label={t('title')}
        value={chosen.value}
        onValueChange={chosen.setValue}
        onKeyDown={chosen.pressKey}
      >
        <Command.Input
          className={styles['input'] ?? ''}
          placeholder={t('placeholder')}
          value={text}
          onValueChange={setText}
          onPaste={paste}
          onCopy={copy}
          maxLength={500}
        />
        <Command.List className={styles['list'] ?? ''} label={t('results')}>
          {search.failure && <p className={styles['note']}>{search.failure}</p>}
          {search.hits.length === 0 && !search.failure && (
            <Command.Empty className={styles['note'] ?? ''}>
              {t(search.searching ? 'searching' : 'nothing')}
            </Command.Empty>
          )}
          <FoundHits heading={t('found')} hits={search.hits} more={search.more} go={open} />
          <ThingsAtHand {...atHand} go={open} />
          <TaggedLists text={text} go={go} />
          <Commands go={go} onClose={onClose} showKeys={showKeys} names={names} pinning={pinning} />
        </Command.List>
      </Command>
    </dialog>
  )
}
