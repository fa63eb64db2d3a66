'use client'

import { formatFen, type SearchHit } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { type ClipboardEvent, useDeferredValue, useEffect, useRef, useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { truncateMiddle } from '../../format.ts'
import { paths } from '../../paths.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useThemeChoice } from '../../ui/theme/theme-provider.tsx'
import { navigation } from '../shell/navigation.ts'
import { describeHit, isOrderNumber, isSearchable } from './hits.ts'
import styles from './palette.module.css'

type PaletteProps = { onClose: () => void; showKeys: () => void }

function Row({
  icon,
  text,
  aside,
  choose,
}: {
  icon: IconName
  text: string
  aside?: string
  choose: () => void
}) {
  return (
    <Command.Item value={text} onSelect={choose} className={styles['item'] ?? ''}>
      <Icon name={icon} />
      <span className={styles['text']}>{text}</span>
      {aside && <span className={styles['aside']}>{aside}</span>}
    </Command.Item>
  )
}

/** What an id leads to; asked for as soon as the text can be one. */
function Hits({ text, go }: { text: string; go: (href: string) => void }) {
  const t = useTranslations('palette')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const wanted = useDeferredValue(text.trim())
  const search = useQuery({
    ...trpc.search.find.queryOptions({ text: wanted }),
    enabled: isSearchable(wanted),
    staleTime: 5_000,
  })
  const asideOf = (hit: SearchHit) => {
    if (hit.kind === 'order') return `${hit.planName} · ${formatFen(hit.amountFen)}`
    return hit.kind === 'user' ? t('user') : (hit.model ?? t('device'))
  }
  const failure = failureOf(search.error)
  if (failure) return <p className={styles['note']}>{failure.title}</p>
  const hits = search.data?.hits ?? []
  if (hits.length === 0) return null
  return (
    <Command.Group heading={t('found')} forceMount>
      {hits.map((hit) => {
        const { id, href, icon } = describeHit(hit)
        return (
          <Command.Item
            key={`${hit.kind} ${id}`}
            value={`${hit.kind} ${id}`}
            // The API has found it by the text: the palette's own matching must not hide it.
            keywords={[text]}
            onSelect={() => go(href)}
            className={styles['item'] ?? ''}
          >
            <Icon name={icon} />
            <span className={styles['id']}>{truncateMiddle(id)}</span>
            <span className={styles['aside']}>{asideOf(hit)}</span>
          </Command.Item>
        )
      })}
    </Command.Group>
  )
}

function Commands({ go, onClose, showKeys }: PaletteProps & { go: (href: string) => void }) {
  const t = useTranslations('palette')
  const shell = useTranslations('shell')
  const { choose } = useThemeChoice()
  const paint = (theme: 'light' | 'dark') => {
    choose(theme)
    onClose()
  }
  return (
    <>
      <Command.Group heading={t('pages')}>
        {navigation.map(({ key, icon, href }) => (
          <Row key={key} icon={icon} text={shell(`pages.${key}`)} choose={() => go(href)} />
        ))}
        <Row icon="shield" text={shell('account')} choose={() => go(paths.account())} />
      </Command.Group>
      <Command.Group heading={t('commands')}>
        <Row icon="moon" text={t('dark')} choose={() => paint('dark')} />
        <Row icon="sun" text={t('light')} choose={() => paint('light')} />
        <Row icon="key" text={shell('changePassword')} choose={() => go(paths.newPassword())} />
        <Row icon="menu" text={t('keys.title')} choose={showKeys} />
      </Command.Group>
    </>
  )
}

/** Finds orders, users and devices by their ids, and pages and commands by their names. */
export function Palette({ onClose, showKeys }: PaletteProps) {
  const t = useTranslations('palette')
  const router = useRouter()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    // The browser would give the focus to what surrounds the field.
    element?.querySelector('input')?.focus()
    return () => element?.close()
  }, [])
  const go = (href: string) => {
    onClose()
    router.push(href)
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text').trim()
    if (!isOrderNumber(pasted)) return
    event.preventDefault()
    go(paths.order({ outTradeNo: pasted.toUpperCase() }))
  }
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
      <Command label={t('title')}>
        <Command.Input
          className={styles['input'] ?? ''}
          placeholder={t('placeholder')}
          value={text}
          onValueChange={setText}
          onPaste={paste}
          maxLength={64}
        />
        <Command.List className={styles['list'] ?? ''} label={t('results')}>
          <Command.Empty className={styles['note'] ?? ''}>{t('nothing')}</Command.Empty>
          <Hits text={text} go={go} />
          <Commands go={go} onClose={onClose} showKeys={showKeys} />
        </Command.List>
      </Command>
    </dialog>
  )
}
