'use client'

import { type ExportNews, WAITING_COUNT_LIMIT } from '@meridian/contracts'
import { useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'

const READ_EVERY_MS = 60_000
const WATCH_EVERY_MS = 5_000

export type Waiting = { alerts: string | null; approvals: string | null; waiting: string | null }

/** As it is shown: nothing for none, `99+` beyond the limit. */
const shown = (count: number | undefined): string | null => {
  if (!count) return null
  return count > WAITING_COUNT_LIMIT ? `${WAITING_COUNT_LIMIT}+` : String(count)
}

const never = () => () => {}

/**
 * The same for what the server renders: nothing until the page is hydrated. The server renders before the numbers are
 * read, and a first rendering in the browser that shows them would differ from its HTML (React error 418).
 */
export function useHydratedWaiting(): Waiting {
  const waiting = useWaiting()
  const isHydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return isHydrated ? waiting : { alerts: null, approvals: null, waiting: null }
}

export const isUnderWay = ({ state }: Pick<ExportNews, 'state'>): boolean =>
  state === 'waiting' || state === 'running'

/** What is read for the frame of every page; more often while a file of the operator is written. */
const useWaitingRead = () =>
  useQuery({
    ...useTRPC().dashboard.waiting.queryOptions(),
    staleTime: READ_EVERY_MS / 2,
    refetchInterval: ({ state: { data } }) => (data?.files.some(isUnderWay) ? WATCH_EVERY_MS : READ_EVERY_MS),
  })

const noFiles: readonly ExportNews[] = []

/** The operator's own files, as far as that read brought them. */
export const useOwnFiles = (): readonly ExportNews[] => useWaitingRead().data?.files ?? noFiles

/** How much waits for somebody: one read that all pages share, once a minute and after each act of this window. */
export function useWaiting(): Waiting {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const done = useMutationState({ filters: { status: 'success' } }).length
  const { data } = useWaitingRead()
  useEffect(() => {
    if (done > 0) void queryClient.invalidateQueries(trpc.dashboard.waiting.queryFilter())
  }, [done, queryClient, trpc])
  return { alerts: shown(data?.alerts), approvals: shown(data?.approvals), waiting: shown(data?.inbox) }
}
