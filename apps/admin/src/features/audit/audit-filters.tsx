import { mayOperator } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import type { addresses } from '../../addresses.ts'
import { useTRPC } from '../../api-client/api-provider.tsx'
import type { ParamsOf } from '../../kit/list/address.ts'
import { ClearFilters, DaysFilter, FilterBar, last, SearchFilter } from '../../kit/list/filters.tsx'
import type { ListState } from '../../kit/list/use-list-state.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { Input } from '../../ui/input.tsx'
import styles from './audit.module.css'
import { useActionName } from './use-action-name.ts'

const Select = dynamic(() => import('antd/es/select').then((module) => module.default), {
  ssr: false,
  loading: () => <span className={styles['select']} />,
})

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
function OperatorFilter({ list: { params, change } }: Props) {
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

const ranges = [
  ['today', last(1)],
  ['week', last(7)],
  ['month', last(30)],
] as const

export function AuditFilters({ list }: Props) {
  const t = useTranslations('audit')
  return (
    <FilterBar>
      <SearchFilter t={t} list={list} />
      <OperatorFilter list={list} />
      <ActionFilter list={list} />
      <DaysFilter t={t} label={t('dates')} list={list} ranges={ranges} />
      <ClearFilters list={list} label={t('clear')} />
    </FilterBar>
  )
}
