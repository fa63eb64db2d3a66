'use client'

import { type InboxItem, longestSnoozeDays } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { z } from 'zod'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { dayAfter, startOfDay } from '../../format.ts'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { useConsole, useForbidden } from '../../session/operator-context.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { useClock, useToday } from '../../ui/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import layout from '../../ui/layout.module.css'
import { ChoiceMenu, Popup } from '../../ui/popup.tsx'
import { VisuallyHidden } from '../../ui/text.tsx'

const HOUR_MS = 3_600_000

/** Nine in the morning of a day in China. */
const morningOf = (day: string): Date => new Date(startOfDay(day).getTime() + 9 * HOUR_MS)

/** The Monday after a day. */
function mondayAfter(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return dayAfter(day, weekday === 0 ? 1 : 8 - weekday)
}

/** `compact` shows the picture alone, where other buttons stand beside it. */
type ItemProps = { item: InboxItem; compact?: boolean }
type DialogProps = ItemProps & { onClose: () => void }

function useLookAfter({ kind, id, assigneeId: seenAssigneeId }: InboxItem) {
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

const Assigned = z.object({ assigneeId: z.uuid() })

/** To one of those whose role may act on it. */
function AssignDialog({ item, onClose }: DialogProps) {
  const t = useTranslations('inbox')
  const { assign } = useLookAfter(item)
  const { data } = useQuery(useTRPC().inbox.colleagues.queryOptions({ permission: item.permission }))
  const colleagues = data?.items.filter(({ id }) => id !== item.assigneeId)
  if (!colleagues) return null
  return (
    <FormDialog
      title={t('assignTitle')}
      lead={t('assignLead')}
      submitLabel={t('assign')}
      schema={Assigned}
      start={{ assigneeId: colleagues[0]?.id ?? '' }}
      incomplete={t('noColleague')}
      fields={[
        {
          kind: 'select',
          name: 'assigneeId',
          label: t('assignee'),
          className: layout['select'] ?? '',
          options: colleagues.map(({ id, name, email }) => ({
            value: id,
            label: name ? `${name} · ${email}` : email,
          })),
        },
      ]}
      act={assign}
      onClose={onClose}
    />
  )
}

const Day = z.object({ day: z.iso.date() }).transform(({ day }) => ({ until: morningOf(day) }))

function SnoozeDialog({ item, onClose }: DialogProps) {
  const t = useTranslations('inbox')
  const { snooze } = useLookAfter(item)
  const today = useToday()
  const [min, max] = [dayAfter(today), dayAfter(today, longestSnoozeDays - 1)]
  return (
    <FormDialog
      title={t('snoozeTitle')}
      lead={t('snoozeLead')}
      submitLabel={t('snooze')}
      schema={Day}
      start={{ day: min }}
      incomplete={t('dayNeeded')}
      fields={[{ kind: 'line', name: 'day', label: t('day'), hint: t('dayHint'), type: 'date', min, max }]}
      act={snooze}
      onClose={onClose}
    />
  )
}

const choices = [
  'claim',
  'give',
  'release',
  'wake',
  'laterToday',
  'tomorrow',
  'monday',
  'anotherDay',
] as const
type Choice = (typeof choices)[number]

/** What makes sense for it as it is. */
function isOffered(choice: Choice, item: InboxItem, operatorId: string): boolean {
  if (choice === 'claim') return item.assigneeId !== operatorId
  if (choice === 'release') return item.assigneeId !== null
  return choice !== 'wake' || item.snoozedUntil !== null
}

type Asking = 'give' | 'anotherDay'

/** What each choice does: at once, or after a dialog that asks for more. */
function useChoices(item: InboxItem, ask: (dialog: Asking) => void) {
  const { operator } = useConsole()
  const { assign, snooze } = useLookAfter(item)
  const [now, today] = [useClock(), useToday()]
  const acts: Readonly<Record<Choice, () => void>> = {
    claim: () => assign.press({ assigneeId: operator.id }),
    give: () => ask('give'),
    release: () => assign.press({ assigneeId: null }),
    wake: () => snooze.press({ until: null }),
    laterToday: () => snooze.press({ until: new Date(now.getTime() + 3 * HOUR_MS) }),
    tomorrow: () => snooze.press({ until: morningOf(dayAfter(today)) }),
    monday: () => snooze.press({ until: morningOf(mondayAfter(today)) }),
    anotherDay: () => ask('anotherDay'),
  }
  const offered = choices.filter((choice) => isOffered(choice, item, operator.id))
  return { acts, offered, busy: assign.busy || snooze.busy }
}

/** Who looks after it, and when: to oneself, to a colleague, to nobody, or later. */
export function LookAfter({ item, compact = false }: ItemProps) {
  const t = useTranslations('inbox')
  const [dialog, setDialog] = useState<Asking | null>(null)
  const forbidden = useForbidden('inbox.assign')
  const { acts, offered, busy } = useChoices(item, setDialog)
  const close = () => setDialog(null)
  return (
    <>
      <Popup
        label={t('lookAfter')}
        align="end"
        trigger={(opens) => (
          <ActionButton
            icon={<Icon name="clock" />}
            quiet
            busy={busy}
            hint={t('lookAfterHint')}
            disabledReason={forbidden && t('forbidden', forbidden)}
            opens={opens}
          >
            {compact ? <VisuallyHidden>{t('lookAfter')}</VisuallyHidden> : t('lookAfter')}
          </ActionButton>
        )}
      >
        {(shut) => (
          <ChoiceMenu
            label={t('lookAfter')}
            choices={offered.map((value) => ({ value, label: t(`choices.${value}`) }))}
            choose={(choice) => {
              shut()
              acts[choice]()
            }}
          />
        )}
      </Popup>
      {dialog === 'give' && <AssignDialog item={item} onClose={close} />}
      {dialog === 'anotherDay' && <SnoozeDialog item={item} onClose={close} />}
    </>
  )
}
