'use client'

import { unstable_rethrow } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { Component, type ReactNode } from 'react'
import { FailurePanel } from './failure-panel.tsx'

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
