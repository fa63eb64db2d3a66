'use client'

import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import type { TriggerAttributes } from './popup.tsx'
import { Tooltip } from './tooltip.tsx'
import { unavailable } from './unavailable.ts'

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
  const disabled = disabledReason !== null
  return (
    <Tooltip title={disabledReason ?? hint} off={opens?.['aria-expanded'] ?? false}>
      {(described) => (
        <Button
          {...described}
          look={disabled || quiet ? 'default' : 'primary'}
          icon={icon}
          loading={busy}
          aria-disabled={disabled || busy}
          style={disabled ? unavailable : {}}
          onClick={() => !disabled && !busy && onPress?.()}
          {...(!disabled && !busy && opens)}
        >
          {children}
        </Button>
      )}
    </Tooltip>
  )
}
