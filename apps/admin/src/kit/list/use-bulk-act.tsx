'use client'

import { type InvalidateQueryFilters, type QueryKey, useQueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useFailure } from '../../api-client/api-provider.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import type { BulkLine } from './bulk-dialog.tsx'

const BulkDialog = dynamic(() => import('./bulk-dialog.tsx').then((module) => module.BulkDialog), {
  ssr: false,
})

type BulkItem = { key: string; label: string }
/** Does it to one row and answers what came of it. */
type BulkAct = (key: string) => Promise<string>

type BulkRun = {
  /** Null while there is nothing to show. */
  lines: readonly BulkLine[] | null
  start: (items: readonly BulkItem[], act: BulkAct) => Promise<void>
  stop: () => void
  forget: () => void
}

/** One act on many rows, one row after the other: each is its own call, and says for itself what came of it. */
function useBulkRun(): BulkRun {
  const failureOf = useFailure()
  const [lines, setLines] = useState<readonly BulkLine[] | null>(null)
  const stopped = useRef(false)
  useEffect(() => {
    stopped.current = false
    return () => {
      stopped.current = true
    }
  }, [])

  const mark = (key: string, change: Partial<BulkLine>) =>
    setLines((before) => before?.map((line) => (line.key === key ? { ...line, ...change } : line)) ?? null)
  const one = async (key: string, act: BulkAct) => {
    if (stopped.current) return mark(key, { state: 'left' })
    mark(key, { state: 'running' })
    try {
      mark(key, { state: 'done', word: await act(key) })
    } catch (error) {
      mark(key, { state: 'refused', word: failureOf(error)?.title ?? '' })
    }
  }
  const start = async (items: readonly BulkItem[], act: BulkAct) => {
    stopped.current = false
    setLines(items.map((item) => ({ ...item, state: 'waiting', word: '' })))
    for (const { key } of items) await one(key, act)
  }
  const stop = useCallback(() => {
    stopped.current = true
  }, [])
  return { lines, start, stop, forget: () => setLines(null) }
}

type BulkActProps<Key extends QueryKey> = {
  title: (count: number) => string
  lead: string
  /** What is read anew when the dialog is closed. */
  changes: InvalidateQueryFilters<Key>
}

/** An act on many rows, and the dialog that says how far it has come. */
export function useBulkAct<Key extends QueryKey>({
  title,
  lead,
  changes,
}: BulkActProps<Key>): {
  start: BulkRun['start']
  dialog: ReactNode
} {
  const queryClient = useQueryClient()
  const { lines, start, stop, forget } = useBulkRun()
  const close = () => {
    forget()
    void queryClient.invalidateQueries(changes)
  }
  const dialog = lines && (
    <BulkDialog title={title(lines.length)} lead={lead} lines={lines} onStop={stop} onClose={close} />
  )
  return { start, dialog }
}

type BulkButtonProps = {
  icon: IconName
  hint: string
  disabledReason?: string | null
  quiet?: boolean
  onPress: () => void
  children: string
}

/** Does something with all rows that are chosen. */
export const BulkButton = ({ icon, disabledReason = null, ...button }: BulkButtonProps) => (
  <ActionButton icon={<Icon name={icon} />} busy={false} disabledReason={disabledReason} {...button} />
)
