'use client'

import { useQuery } from '@tanstack/react-query'
import { usePathname } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useEffect } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { describeHit } from './hits.ts'
import styles from './palette.module.css'
import { rememberOpened, subjectOfPath } from './recent.ts'

/** The thing whose page is open, which is remembered as opened. */
function useOpenedSubject() {
  const path = usePathname()
  const operatorId = useConsole().operator.id
  useEffect(() => {
    const subject = subjectOfPath(path)
    if (subject) rememberOpened(operatorId, subject)
  }, [path, operatorId])
  return subjectOfPath(path)
}

/** Pins the thing whose page is open, or unpins it; nothing on other pages. */
export function usePinning() {
  const t = useTranslations('palette.pins')
  const trpc = useTRPC()
  const subject = useOpenedSubject()
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

export const PinButton = ({ pinning: { isPinned, label, press } }: { pinning: Pinning }) => (
  <span className={styles['pin']}>
    <IconButton label={label} onClick={press}>
      <Icon name={isPinned ? 'pinOff' : 'pin'} size={18} />
    </IconButton>
  </span>
)
