'use client'

import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { dayAfter } from '../../format.ts'
import { useConsole, useForbidden } from '../../session/operator-context.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { useClock, useToday } from '../../ui/date-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ChoiceMenu, Popup } from '../../ui/popup.tsx'
import { VisuallyHidden } from '../../ui/text.tsx'
import { type Assignable, HOUR_MS, morningOf, useLookAfter } from './use-look-after.ts'

const dialogs = () => import('./look-after-dialogs.tsx')
const AssignDialog = dynamic(() => dialogs().then((module) => module.AssignDialog), { ssr: false })
const SnoozeDialog = dynamic(() => dialogs().then((module) => module.SnoozeDialog), { ssr: false })

/** The Monday after a day. */
function mondayAfter(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return dayAfter(day, weekday === 0 ? 1 : 8 - weekday)
}

/** `compact` shows the picture alone, where other buttons stand beside it. */
type ItemProps = { item: Assignable; compact?: boolean }

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
function isOffered(choice: Choice, item: Assignable, operatorId: string): boolean {
  if (choice === 'claim') return item.assigneeId !== operatorId
  if (choice === 'release') return item.assigneeId !== null
  return choice !== 'wake' || item.snoozedUntil !== null
}

type Asking = 'give' | 'anotherDay'

/** What each choice does: at once, or after a dialog that asks for more. */
function useChoices(item: Assignable, ask: (dialog: Asking) => void) {
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
