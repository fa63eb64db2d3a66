'use client'

import type { ReactNode } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import type { Act } from './use-act.ts'

/** The words of a question, and what is shown with it. */
export type Confirmation = {
  title: string
  lead?: ReactNode
  submitLabel: string
  danger?: boolean
  disabledReason?: string | null
  /** In place of what the act failed with. */
  failure?: ReactNode
  children?: ReactNode
}

type ConfirmDialogProps<Input, Output> = Confirmation & {
  act: Act<Input, Output>
  input: Input
  onClose: () => void
}

/** An act that is asked once more before it is done; what it was refused for is said in the dialog. */
export function ConfirmDialog<Input, Output>(props: ConfirmDialogProps<Input, Output>) {
  const { act, input, failure = act.failure?.title, children = null, ...dialog } = props
  return (
    <Dialog
      {...dialog}
      submitting={act.busy}
      failure={failure ?? null}
      onSubmit={() => act.run(input, dialog.onClose)}
    >
      {children}
    </Dialog>
  )
}
