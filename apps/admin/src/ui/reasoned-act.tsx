'use client'

import dynamic from 'next/dynamic'
import { type ReactNode, useState } from 'react'
import { ActionButton } from './action-button.tsx'
import { Icon, type IconName } from './icon.tsx'

const ReasonDialog = dynamic(() => import('./reason-dialog.tsx').then((module) => module.ReasonDialog), {
  ssr: false,
})

type ReasonedActProps = {
  icon: IconName
  hint: string
  disabledReason: string | null
  /** The words of its dialog. */
  title: string
  lead: ReactNode
  submitLabel: string
  danger?: boolean
  busy: boolean
  failure: string | null
  /** Does it; the dialog closes when it is done and stays, with the failure, when it is not. */
  act: (reason: string) => Promise<unknown>
  onOpen?: () => void
  children: ReactNode
}

/** A button whose act must say why. */
export function ReasonedAct({
  icon,
  hint,
  disabledReason,
  children,
  act,
  onOpen,
  ...dialog
}: ReasonedActProps) {
  const [open, setOpen] = useState(false)
  const { busy, ...words } = dialog
  const close = () => setOpen(false)
  return (
    <>
      <ActionButton
        icon={<Icon name={icon} />}
        busy={busy}
        hint={hint}
        disabledReason={disabledReason}
        quiet
        onPress={() => {
          onOpen?.()
          setOpen(true)
        }}
      >
        {children}
      </ActionButton>
      {open && (
        <ReasonDialog
          {...words}
          submitting={busy}
          onSubmit={(reason) => void act(reason).then(close, () => undefined)}
          onClose={close}
        />
      )}
    </>
  )
}
