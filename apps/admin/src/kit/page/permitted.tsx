'use client'

import type { Permission } from '@meridian/contracts'
import type { ReactNode } from 'react'
import { type Forbidden, useForbidden } from '../../session/use-forbidden.ts'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'

type PermittedProps = {
  to: Permission
  icon: IconName
  /** What who may not see it is told, and why. */
  title: string
  why: (who: Forbidden) => string
  children: ReactNode
}

/** What only some roles may see; the others are told so in its place. */
export function Permitted({ to, icon, title, why, children }: PermittedProps) {
  const forbidden = useForbidden(to)
  if (!forbidden) return children
  return (
    <Panel>
      <BlankSlate icon={icon} title={title} hint={why(forbidden)} />
    </Panel>
  )
}
