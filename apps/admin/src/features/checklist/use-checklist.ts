import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { isOpen } from './checklist-steps.tsx'

/** Somebody looks at it while they do the steps elsewhere: it ticks before they are back. */
const WATCH_MS = 5_000

/** The checklist, read again while a step is still open. */
export const useChecklist = () =>
  useQuery({
    ...useTRPC().checklist.show.queryOptions(),
    refetchInterval: ({ state: { data } }) => (data?.steps.some(isOpen) ? WATCH_MS : false),
  })
