'use client'

import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFailure } from '../../api-client/use-failure.ts'
import { DetailSkeleton } from '../../ui/detail-skeleton.tsx'
import { FailurePanel } from '../../ui/failure-panel.tsx'
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
