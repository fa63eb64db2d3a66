import type { AssignableKind, InboxItem, InboxPermission } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { startOfDay } from '../../format.ts'
import { useAct } from '../../kit/act/use-act.ts'

export const HOUR_MS = 3_600_000

/** Nine in the morning of a day in China. */
export const morningOf = (day: string): Date => new Date(startOfDay(day).getTime() + 9 * HOUR_MS)

/** What can be given to somebody and put off. */
export type Assignable = InboxItem & { kind: AssignableKind; permission: InboxPermission }

export const isAssignable = (item: InboxItem): item is Assignable =>
  item.kind !== 'mention' && item.permission !== null

/** Giving what waits to somebody, and putting it off. */
export function useLookAfter({ kind, id, assigneeId: seenAssigneeId }: Assignable) {
  const t = useTranslations('inbox')
  const fresh = { invalidates: ['inbox'] as const, refreshesOnFailure: ['inbox'] as const }
  const assign = useAct({
    call:
      (api) =>
      ({ assigneeId }: { assigneeId: string | null }) =>
        api.inbox.assign.mutate({ kind, id, assigneeId, seenAssigneeId }),
    ...fresh,
    done: (_, { assigneeId }) => t(assigneeId ? 'assigned' : 'released'),
  })
  const snooze = useAct({
    call:
      (api) =>
      ({ until }: { until: Date | null }) =>
        api.inbox.snooze.mutate({ kind, id, until }),
    ...fresh,
    done: (_, { until }) => t(until ? 'snoozed' : 'woken'),
  })
  return { assign, snooze }
}
