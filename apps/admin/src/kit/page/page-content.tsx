'use client'

import type { Permission } from '@meridian/contracts'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFailure } from '../../api-client/api-provider.tsx'
import { type Forbidden, useForbidden } from '../../session/operator-context.tsx'
import { BlankSlate } from '../../ui/blank-slate.tsx'
import { DetailSkeleton } from '../../ui/detail-page.tsx'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'

type LoadedProps<Data> = {
  query: Pick<UseQueryResult<Data, unknown>, 'data' | 'error' | 'refetch'>
  /** What stands there until it has come; of the shape of the page. */
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}

/** What a page shows of the one thing it reads; until it is there its skeleton, and why it is not, to try again. */
export function Loaded<Data>({ query, skeleton = <DetailSkeleton />, children }: LoadedProps<Data>) {
  const failure = useFailure()(query.error)
  if (query.data !== undefined) return children(query.data)
  if (!failure) return skeleton
  return (
    <Panel>
      <FailurePanel failure={failure} onRetry={() => void query.refetch()} />
    </Panel>
  )
}

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
