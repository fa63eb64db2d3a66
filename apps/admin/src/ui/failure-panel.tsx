'use client'

import { useTranslations } from 'next-intl'
import { BlankSlate } from './blank-slate.tsx'
import { Button } from './button.tsx'
import { Identifier } from './identifier.tsx'

/** What went wrong, as far as the operator can use it; `requestId` is what an engineer looks for. */
export type Failure = {
  title: string
  requestId: string | null
  /** What is wrong with the request, a line for each. */
  faults?: readonly string[]
}

/** In place of content that could not be loaded. */
export function FailurePanel({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const t = useTranslations('ui')
  return (
    <BlankSlate
      role="alert"
      icon="alert"
      title={failure.title}
      hint={t('failedHint')}
      action={
        <Button look="primary" onClick={onRetry}>
          {t('retry')}
        </Button>
      }
    >
      {failure.requestId && (
        <p>
          {t('requestId')} <Identifier value={failure.requestId} name={t('requestId')} whole />
        </p>
      )}
    </BlankSlate>
  )
}
