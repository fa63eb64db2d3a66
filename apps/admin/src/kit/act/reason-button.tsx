'use client'

import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { ActButton, type Guard, type Shown } from './act-button.tsx'
import type { Act } from './use-act.ts'

const ReasonDialog = dynamic(() => import('./reason-dialog.tsx').then((module) => module.ReasonDialog), {
  ssr: false,
})

type Asked<Rest extends object, Output> = {
  title: string
  lead: ReactNode
  submitLabel: string
  danger?: boolean
  act: Act<Rest & { reason: string }, Output>
  /** What it is done to. */
  input: Rest
}

type ReasonButtonProps<Rest extends object, Output> = Omit<Shown, 'label'> &
  Guard & {
    /** Where it differs from what the dialog's button says. */
    label?: string
    asked: Asked<Rest, Output>
  }

/** The button of an act that must say why: the reason goes to the audit log. */
export function ReasonButton<Rest extends object, Output>(props: ReasonButtonProps<Rest, Output>) {
  const { asked, label = asked.submitLabel, ...button } = props
  const { act, input, ...words } = asked
  return (
    <ActButton
      {...button}
      label={label}
      onOpen={act.reset}
      dialog={(close) => (
        <ReasonDialog
          {...words}
          act={{
            busy: act.busy,
            failure: act.failure,
            run: ({ reason }, onDone) => act.run({ ...input, reason }, onDone),
          }}
          onClose={close}
        />
      )}
    />
  )
}
