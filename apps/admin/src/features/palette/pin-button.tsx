'use client'

import { useQuery } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { Icon } from '../../ui/icon.tsx'
import small from '../../ui/icon-button.module.css'
import { describeHit } from './hits.ts'
import styles from './palette.module.css'
import { rememberOpened, subjectOfPath } from './recent.ts'

/** Remembers the thing whose page is open as opened. */
export function useRememberOpened(): void {
  const path = usePathname()
  const operatorId = useConsole().operator.id
  useEffect(() => {
    const subject = subjectOfPath(path)
    if (subject) rememberOpened(operatorId, subject)
  }, [path, operatorId])
}

/** Pins the thing whose page is open, or unpins it; nothing on other pages. */
export function usePinning() {
  const t = useTranslations('shell.pins')
  const trpc = useTRPC()
  const subject = subjectOfPath(usePathname())
  const atHand = useQuery({
    ...trpc.search.atHand.queryOptions({ recent: [] }),
    enabled: subject !== null,
    staleTime: 60_000,
  })
  const isPinned = (atHand.data?.pinned ?? []).some(
    (hit) => hit.kind === subject?.kind && describeHit(hit).id === subject.id,
  )
  const change = useAct({
    call: (api) => api.search[isPinned ? 'unpin' : 'pin'].mutate,
    invalidates: ['search'],
    done: () => t(isPinned ? 'unpinned' : 'pinned'),
  })
  if (subject === null) return null
  return { isPinned, label: t(isPinned ? 'unpin' : 'pin'), press: () => change.press(subject) }
}

export type Pinning = NonNullable<ReturnType<typeof usePinning>>

/** Keeps the thing whose page is open at hand in the search, or no longer; in the head of its page. */
export function PinButton() {
  const pinning = usePinning()
  if (!pinning) return null
  const { isPinned, label, press } = pinning
  return (
    <button
      type="button"
      className={`${small['small']} ${styles['pin']}`}
      data-pinned={isPinned || undefined}
      aria-label={label}
      title={label}
      onClick={press}
    >
      <Icon name={isPinned ? 'pinOff' : 'pin'} size={15} />
    </button>
  )
}
