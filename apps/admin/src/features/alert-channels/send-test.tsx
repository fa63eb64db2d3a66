'use client'

import type { AlertChannelRow } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../kit/act/act-button.tsx'
import { useAct } from '../../kit/act/use-act.ts'

type SendTestProps = { channel: AlertChannelRow; sends: boolean }

/** Asks for a test message; how it ended stands among the messages. */
export function SendTest({ channel: { id, testWaits }, sends }: SendTestProps) {
  const t = useTranslations('alertChannels')
  const send = useAct({
    call: (api) => api.alertChannel.test.mutate,
    invalidates: ['alertChannel'],
    done: () => t('testAsked'),
  })
  const waits = testWaits ? t('testWaits') : null
  return (
    <ActButton
      icon="upload"
      label={t('test')}
      hint={t('testHint')}
      quiet
      obstacle={sends ? waits : t('nobodySends')}
      act={send}
      input={{ id }}
    />
  )
}
