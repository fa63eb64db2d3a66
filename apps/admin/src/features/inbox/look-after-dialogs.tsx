'use client'

import { longestSnoozeDays } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { z } from 'zod'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { dayAfter } from '../../format.ts'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { useToday } from '../../ui/date-time.tsx'
import layout from '../../ui/layout.module.css'
import { type Assignable, morningOf, useLookAfter } from './use-look-after.ts'

type DialogProps = { item: Assignable; onClose: () => void }

const Assigned = z.object({ assigneeId: z.uuid() })

/** Asks which colleague becomes the assignee; only those whose role may act on the item are offered. */
export function AssignDialog({ item, onClose }: DialogProps) {
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

/** Asks for the day on which the item comes back, at 09:00. */
export function SnoozeDialog({ item, onClose }: DialogProps) {
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
