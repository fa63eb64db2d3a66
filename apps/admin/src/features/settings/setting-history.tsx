'use client'

import type { SettingChangeRow, SettingRow } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { ActButton } from '../../kit/act/act-button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { PartList } from '../../ui/description-list.tsx'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type SettingPart, useSettingChanges, useSettingParts } from './setting-value.ts'

/** A value in one line, or its parts below each other. */
export function SettingText({ parts }: { parts: readonly SettingPart[] }) {
  const t = useTranslations('settings')
  const [first] = parts
  if (first && !first.isWhole) return <PartList parts={parts} />
  return <strong>{first?.text ?? t('nothing')}</strong>
}

const ChangeSetting = dynamic(() => import('./change-setting.tsx').then((module) => module.ChangeSetting), {
  ssr: false,
})

/** How one setting moved, newest first; each old value may be taken up again. */
export function SettingHistory({ setting }: { setting: SettingRow }) {
  const t = useTranslations('settings')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const partsOf = useSettingParts()
  const changesOf = useSettingChanges()
  const { key } = setting
  const changes = useQuery(trpc.setting.history.queryOptions({ key }))
  const failure = failureOf(changes.error)
  /** The parts that a change touched, as they were or as they became. */
  const sideOf = (change: SettingChangeRow, side: 'before' | 'after') => {
    const touched = changesOf(key, change.before, change.after).map((part) => part.key)
    return partsOf(key, change[side]).filter((part) => touched.includes(part.key))
  }
  if (failure) return <FailurePanel failure={failure} onRetry={() => void changes.refetch()} />
  if (!changes.data) return <Skeleton height={80} />
  return (
    <PlainTable
      caption={t('historyOf', { name: t(`names.${key}`) })}
      rows={changes.data.items}
      rowKey={({ version }) => String(version)}
      empty={t('historyEmpty')}
      columns={[
        { key: 'when', title: t('when'), cell: ({ changedAt }) => <DateTime time={changedAt} exact /> },
        { key: 'who', title: t('who'), cell: ({ operatorEmail }) => operatorEmail ?? '—' },
        {
          key: 'before',
          title: t('before'),
          cell: (change) => <SettingText parts={sideOf(change, 'before')} />,
        },
        {
          key: 'after',
          title: t('after'),
          cell: (change) => <SettingText parts={sideOf(change, 'after')} />,
        },
        {
          key: 'back',
          title: t('goBackTitle'),
          cell: ({ before, version }) => (
            <ActButton
              icon="refund"
              label={t('goBackNamed', { version })}
              hint={t('goBackHint')}
              quiet
              permission="setting.edit"
              forbidden={(who) => t('forbidden', who)}
              dialog={(close) => <ChangeSetting setting={setting} start={before} onClose={close} />}
            />
          ),
        },
      ]}
    />
  )
}
