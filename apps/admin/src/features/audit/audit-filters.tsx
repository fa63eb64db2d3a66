import { mayOperator } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useRef } from 'react'
import type { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import type { ParamsOf } from '../../kit/list/address.ts'
import { ClearFilters, DaysFilter, FilterBar, SearchFilter } from '../../kit/list/filters.tsx'
import type { ListState } from '../../kit/list/use-list-state.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { Select } from '../../ui/select.tsx'
import styles from './audit.module.css'
import { useActionName } from './use-action-name.ts'

/** What stands for every action: a list has no empty choice. */
const ALL = ''

type Props = { list: ListState<ParamsOf<typeof addresses.audit>> }

function ActionFilter({ list: { params, change } }: Props) {
  const t = useTranslations('audit')
  const trpc = useTRPC()
  const nameOf = useActionName()
  const { data } = useQuery(trpc.audit.actions.queryOptions())
  return (
    <Select
      className={styles['select'] ?? ''}
      aria-label={t('actionFilter')}
      searchable
      value={params.action ?? ALL}
      options={[
        { value: ALL, label: t('actionFilter') },
        ...(data?.items ?? []).map((value) => ({ value, label: nameOf(value) })),
      ]}
      onChange={(action) => change({ action: action === ALL ? null : action })}
    />
  )
}

/** Whose acts; only for who may read about everybody. */
function OperatorFilter({ list: { params, change } }: Props) {
  const t = useTranslations('audit')
  const { operator } = useConsole()
  const field = useRef<HTMLInputElement>(null)
  if (!mayOperator(operator.role, 'audit.everybody')) return null
  return (
    <SearchInput
      key={params.operator}
      field={field}
      className={styles['who'] ?? ''}
      aria-label={t('operatorFilter')}
      placeholder={t('operatorFilter')}
      defaultValue={params.operator ?? ''}
      maxLength={254}
      search={(wanted) => change({ operator: wanted.trim() || null })}
    />
  )
}

export function AuditFilters({ list }: Props) {
  const t = useTranslations('audit')
  return (
    <FilterBar>
      <SearchFilter t={t} list={list} />
      <OperatorFilter list={list} />
      <ActionFilter list={list} />
      <DaysFilter t={t} label={t('dates')} list={list} presets={['today', 'lastWeek', 'lastMonth']} />
      <ClearFilters list={list} label={t('clear')} />
    </FilterBar>
  )
}
