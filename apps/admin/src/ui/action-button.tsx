'use client'

import { type ReactNode, useId } from 'react'
import { Button } from './button.tsx'
import type { TriggerAttributes } from './popup.tsx'
import { Tooltip } from './tooltip.tsx'
import { unavailable } from './unavailable.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

type ActionButtonProps = {
  icon: ReactNode
  busy: boolean
  /** What pressing it does, beyond its name. */
  hint: string
  /** Why it may not be pressed; the button then stays reachable, so that the reason is too. */
  disabledReason: string | null
  /** One act among several, or one that is rarely meant. */
  quiet?: boolean
  children: ReactNode
} & ({ onPress: () => void; opens?: never } | { onPress?: never; opens: TriggerAttributes })

/** An act with an effect, or with several to choose from in a pop-up. Forbidden acts are shown and say why, never hidden. */
export function ActionButton({
  icon,
  busy,
  hint,
  disabledReason,
  quiet = false,
  onPress,
  opens,
  children,
}: ActionButtonProps) {
  const reason = useId()
  const disabled = disabledReason !== null
  return (
    <>
      <Tooltip title={disabledReason ?? hint} off={opens?.['aria-expanded'] ?? false}>
        <Button
          type={disabled || quiet ? 'default' : 'primary'}
          icon={icon}
          loading={busy}
          aria-disabled={disabled || busy}
          aria-describedby={reason}
          style={disabled ? unavailable : {}}
          onClick={() => !disabled && !busy && onPress?.()}
          {...(!disabled && !busy && opens)}
        >
          {children}
        </Button>
      </Tooltip>
      <VisuallyHidden>
        <span id={reason}>{disabledReason ?? hint}</span>
      </VisuallyHidden>
    </>
  )
}
