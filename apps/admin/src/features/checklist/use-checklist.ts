import type { Checklist } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { isOpen } from './checklist-steps.tsx'

/** Read often: the steps are done in another window, and the tick is expected on the way back. */
const WATCH_MS = 5_000
/** What is still open after the first sale may stay so for weeks. */
const WATCH_LATER_MS = 15_000

export const hasSold = ({ steps }: Checklist): boolean =>
  steps.some(({ name, isDone }) => name === 'sale' && isDone)

function watchedEvery(checklist: Checklist | undefined): number | false {
  if (!checklist?.steps.some(isOpen)) return false
  return hasSold(checklist) ? WATCH_LATER_MS : WATCH_MS
}

/** The checklist, read again while a step is still open. */
export const useChecklist = () =>
  useQuery({
    ...useTRPC().checklist.show.queryOptions(),
    refetchInterval: ({ state }) => watchedEvery(state.data),
  })
