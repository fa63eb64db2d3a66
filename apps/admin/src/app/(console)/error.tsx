'use client'

import { useTranslations } from 'next-intl'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import { Panel } from '../../ui/panel.tsx'

type Props = { error: Error & { digest?: string }; reset: () => void }

export default function ConsoleError({ error, reset }: Props) {
  const t = useTranslations('ui')
  return (
    <Panel>
      <FailurePanel failure={{ title: t('failed'), requestId: error.digest ?? null }} onRetry={reset} />
    </Panel>
  )
}
