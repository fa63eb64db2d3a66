'use client'

import { mayOperator } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { lastDays } from '../../format.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { Button } from '../../ui/button.tsx'
import { useToday } from '../../ui/clock.tsx'
import bar from '../../ui/filter-bar.module.css'
import { Icon } from '../../ui/icon.tsx'
import { Input } from '../../ui/input.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import styles from './audit.module.css'
import type { AuditListState } from './audit-list-params.ts'
import { useActionName } from './use-action-name.ts'

const DayRange = dynamic(() => import('../../ui/day-range.tsx').then((module) => module.DayRange), {
  ssr: false,
  loading: () => <span className={bar['dates']} />,
})
const Select = dynamic(() => import('antd/es/select').then((module) => module.default), {
  ssr: false,
  loading: () => <span className={styles['select']} />,
})

function ActionFilter({ list: { params, change } }: { list: AuditListState }) {
  const t = useTranslations('audit')
  const trpc = useTRPC()
  const nameOf = useActionName()
  const { data } = useQuery(trpc.audit.actions.queryOptions())
  return (
    <Select
      className={styles['select'] ?? ''}
      aria-label={t('actionFilter')}
      placeholder={t('actionFilter')}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      // A list of nothing is no list: it opens once there is something to choose.
      notFoundContent={null}
      value={params.action}
      options={(data?.items ?? []).map((value) => ({ value, label: nameOf(value) }))}
      onChange={(action) => change({ action: typeof action === 'string' ? action : null })}
    />
  )
}

/** Whose acts; only for who may read about everybody. */
function OperatorFilter({ list: { params, change } }: { list: AuditListState }) {
  const t = useTranslations('audit')
  const { operator } = useConsole()
  if (!mayOperator(operator.role, 'audit.everybody')) return null
  return (
    <Input
      key={params.operator}
      className={styles['who'] ?? ''}
      type="search"
      aria-label={t('operatorFilter')}
      placeholder={t('operatorFilter')}
      defaultValue={params.operator ?? ''}
      maxLength={254}
      spellCheck={false}
      allowClear
      onClear={() => change({ operator: null })}
      onPressEnter={(event) => change({ operator: event.currentTarget.value.trim() || null })}
    />
  )
}

export function AuditFilters({ list }: { list: AuditListState }) {
  const t = useTranslations('audit')
  const today = useToday()
  const presets = [
    { label: t('ranges.today'), ...lastDays(today, 1) },
    { label: t('ranges.week'), ...lastDays(today, 7) },
    { label: t('ranges.month'), ...lastDays(today, 30) },
  ]
  return (
    <search className={bar['bar']}>
      <SearchField
        label={t('searchLabel')}
        placeholder={t('searchPlaceholder')}
        value={list.params.q}
        search={(q) => list.change({ q })}
      />
      <OperatorFilter list={list} />
      <ActionFilter list={list} />
      <DayRange
        className={bar['dates'] ?? ''}
        labels={{ range: t('dates'), from: t('from'), to: t('to') }}
        from={list.params.from}
        to={list.params.to}
        presets={presets}
        onChange={list.change}
      />
      {list.filtered && (
        <Button type="text" icon={<Icon name="close" />} onClick={list.clear}>
          {t('clear')}
        </Button>
      )}
    </search>
  )
}
