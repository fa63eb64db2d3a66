import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { PageHeader } from './page-header.tsx'
import { Panel } from './panel.tsx'
import { Skeleton } from './skeleton.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

/** The shape of one thing's page before its content; without children, of one whose panels are not known. */
export function DetailSkeleton({ children }: { children?: ReactNode }) {
  const loading = useTranslations('ui')('loading')
  return (
    <div aria-busy="true">
      <PageHeader
        before={<Skeleton width={110} />}
        title={
          <>
            <VisuallyHidden>{loading}</VisuallyHidden>
            <Skeleton width={320} height={26} />
          </>
        }
      />
      {children ?? (
        <Panel>
          <Skeleton height={320} />
        </Panel>
      )}
    </div>
  )
}
