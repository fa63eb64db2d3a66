'use client'

import { unstable_rethrow } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Component, type ReactNode } from 'react'
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

/** What went wrong, and each of the places that are wrong, beside what was pressed. */
export function FailureLines({ failure: { title, faults = [] } }: { failure: Failure }) {
  return (
    <>
      {title}
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
    </>
  )
}

function Broken({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTranslations('ui')
  const digest = 'digest' in error && typeof error.digest === 'string' ? error.digest : null
  return <FailurePanel failure={{ title: t('failed'), requestId: digest }} onRetry={onRetry} />
}

type State = { error: Error | null }

/** Keeps what breaks in one panel from taking the page with it. */
export class PanelBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: null }

  static getDerivedStateFromError(error: unknown): State {
    // Leaving for another page is no failure, though it is thrown like one.
    unstable_rethrow(error)
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return <Broken error={error} onRetry={() => this.setState({ error: null })} />
  }
}
