'use client'

import type { Permission } from '@meridian/contracts'
import { type ReactNode, useState } from 'react'
import { type Forbidden, useForbidden } from '../../session/operator-context.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { type Confirmation, ConfirmDialog } from './confirm-dialog.tsx'
import type { Act } from './use-act.ts'

export type Shown = {
  icon: IconName
  label: string
  /** What pressing it does, beyond its name. */
  hint: string
  /** One act among several, or one that is rarely meant. */
  quiet?: boolean
  /** Stands within a line of text. */
  small?: boolean
  /** Why nobody may press it now, whoever they are. */
  obstacle?: string | null
}

/** The permission it takes, and why an operator without it may not. */
export type Guard =
  | { permission: Permission; forbidden: (who: Forbidden) => string }
  | { permission?: never; forbidden?: never }

type Pressed<Input, Output> =
  | { act: Act<Input, Output>; input: Input; confirm?: Confirmation; dialog?: never; onOpen?: never }
  /** Opens what asks for more. */
  | { act?: never; dialog: (close: () => void) => ReactNode; onOpen?: () => void }

type ActButtonProps<Input, Output> = Shown & Guard & Pressed<Input, Output>

/** Does it at once, after one question, or after a form. */
function usePress<Input, Output>(props: ActButtonProps<Input, Output>) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  if (props.act === undefined) {
    const press = () => {
      props.onOpen?.()
      setOpen(true)
    }
    return { busy: false, press, over: open && props.dialog(close) }
  }
  const { act, input, confirm } = props
  if (!confirm) return { busy: act.busy, press: () => act.press(input), over: null }
  const press = () => {
    act.reset()
    setOpen(true)
  }
  return {
    busy: false,
    press,
    over: open && <ConfirmDialog {...confirm} act={act} input={input} onClose={close} />,
  }
}

/** The button of an act: what it does when pressed, and, where it may not be, why. */
export function ActButton<Input, Output>(props: ActButtonProps<Input, Output>) {
  const {
    icon,
    label,
    hint,
    quiet = false,
    small = false,
    obstacle = null,
    permission = null,
    forbidden,
  } = props
  const denied = useForbidden(permission)
  const { busy, press, over } = usePress(props)
  return (
    <>
      <ActionButton
        icon={<Icon name={icon} />}
        quiet={quiet}
        small={small}
        busy={busy}
        hint={hint}
        disabledReason={denied && forbidden ? forbidden(denied) : obstacle}
        onPress={press}
      >
        {label}
      </ActionButton>
      {over}
    </>
  )
}
