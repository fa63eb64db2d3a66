'use client'

import type { ComponentProps } from 'react'
import { Focusable, Tooltip as Hint, TooltipTrigger } from 'react-aria-components/Tooltip'
import styles from './tooltip.module.css'

type TooltipProps = {
  title: string
  /** Shows nothing for now: what it belongs to has something open below itself. */
  off?: boolean
  /** What it belongs to: something that takes the focus. */
  children: ComponentProps<typeof Focusable>['children']
}

/** A remark beside what the pointer rests on or the keyboard has reached; Escape takes it away (WCAG 2.2, 1.4.13). */
export function Tooltip({ title, off = false, children }: TooltipProps) {
  return (
    <TooltipTrigger delay={400} closeDelay={100} isDisabled={off}>
      <Focusable>{children}</Focusable>
      <Hint placement="bottom end" offset={6} className={styles['tooltip'] ?? ''}>
        {title}
      </Hint>
    </TooltipTrigger>
  )
}
