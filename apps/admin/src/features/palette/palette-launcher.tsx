'use client'

import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useConsole } from '../../session/operator-context.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type Hotkey, useHotkeys } from '../../ui/use-hotkeys.ts'
import { useNamesSwitch } from '../shell/names-switch.tsx'
import { jumps } from '../shell/navigation.ts'
import styles from './palette.module.css'
import { usePinning, useRememberOpened } from './pin-button.tsx'

const Palette = dynamic(() => import('./palette.tsx').then((module) => module.Palette), { ssr: false })
const KeySheet = dynamic(() => import('./key-sheet.tsx').then((module) => module.KeySheet), { ssr: false })

/** How long `g` waits for the letter of the page. */
const JUMP_MS = 1_200

/** `g` and then a letter goes to a page. */
function useJumps(): readonly Hotkey[] {
  const router = useRouter()
  const [armedAt, setArmedAt] = useState(0)
  const { role } = useConsole().operator
  return useMemo(() => {
    const jump = (href: string) => () => {
      if (Date.now() - armedAt < JUMP_MS) router.push(href)
    }
    const letters = jumps(role).map(({ letter, href }): Hotkey => [letter, jump(href)])
    return [['g', () => setArmedAt(Date.now())], ...letters]
  }, [armedAt, router, role])
}

type Open = 'palette' | 'keys' | null

/** The search over everything: a button, and ⌘K or Ctrl K from anywhere. */
export function PaletteLauncher() {
  const t = useTranslations('shell')
  const [open, setOpen] = useState<Open>(null)
  const names = useNamesSwitch()
  const pinning = usePinning()
  useRememberOpened()
  const close = useCallback(() => setOpen(null), [])
  const help = useMemo<readonly Hotkey[]>(() => [['?', () => setOpen('keys')]], [])
  useHotkeys(help)
  useHotkeys(useJumps())
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setOpen('palette')
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <IconButton
        label={t('findAnything')}
        aria-keyshortcuts="Meta+K Control+K"
        onClick={() => setOpen('palette')}
      >
        <Icon name="search" size={18} />
        <kbd className={styles['key']}>⌘K</kbd>
      </IconButton>
      {open === 'palette' && (
        <Palette onClose={close} showKeys={() => setOpen('keys')} names={names} pinning={pinning} />
      )}
      {names?.dialog}
      {open === 'keys' && <KeySheet onClose={close} />}
    </>
  )
}
