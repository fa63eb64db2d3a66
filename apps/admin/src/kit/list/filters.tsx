import type { DatePreset } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import bar from '../../ui/filter-bar.module.css'
import { Icon } from '../../ui/icon.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { findNumber } from './find-number.ts'
import { useDatePresets } from './use-date-presets.ts'
import type { ListState } from './use-list-state.ts'

const DayRange = dynamic(() => import('../../ui/day-range.tsx').then((module) => module.DayRange), {
  ssr: false,
  loading: () => <span className={bar['dates']} />,
})

type ClearProps = { list: Pick<ListState<unknown>, 'filtered' | 'clear'>; label: string }

/** Takes all filters away, where any are set. */
export function ClearFilters({ list: { filtered, clear }, label }: ClearProps) {
  if (!filtered) return null
  return (
    <Button look="text" icon={<Icon name="close" />} onClick={clear}>
      {label}
    </Button>
  )
}

/** The filters of a list beside each other. */
export const FilterBar = ({ children }: { children: ReactNode }) => (
  <search className={bar['bar']}>{children}</search>
)

type SearchProps = {
  t: (key: 'searchLabel' | 'searchPlaceholder') => string
  list: Pick<ListState<{ q: string | null }>, 'params' | 'change'>
}

/** Finds by what somebody types or pastes: of a message by the number in it. */
export const SearchFilter = ({ t, list: { params, change } }: SearchProps) => (
  <SearchField
    label={t('searchLabel')}
    placeholder={t('searchPlaceholder')}
    value={params.q}
    read={findNumber}
    search={(q) => change({ q })}
  />
)

type DaysProps = {
  t: (key: 'from' | 'to') => string
  label: string
  list: Pick<ListState<{ from: string | null; to: string | null }>, 'params' | 'change'>
  /** The spans of days at hand. */
  presets: readonly DatePreset[]
  className?: string | undefined
}

/** From which day to which, both included. */
export const DaysFilter = ({ t, label, list, presets, className }: DaysProps) => (
  <DayRange
    className={className ?? bar['dates'] ?? ''}
    labels={{ range: label, from: t('from'), to: t('to') }}
    from={list.params.from}
    to={list.params.to}
    presets={useDatePresets(presets)}
    onChange={list.change}
  />
)

type UsualProps = {
  t: (key: 'searchLabel' | 'searchPlaceholder' | 'from' | 'to' | 'clear') => string
  list: Pick<
    ListState<{ q: string | null; from: string | null; to: string | null }>,
    'params' | 'filtered' | 'change' | 'clear'
  >
  /** What the days are of. */
  days: string
  presets: readonly DatePreset[]
  children?: ReactNode
}

/** What most lists are narrowed by: a search and days, then what only this one has, and the way to clear them all. */
export const UsualFilters = ({ t, list, days, presets, children }: UsualProps) => (
  <FilterBar>
    <SearchFilter t={t} list={list} />
    <DaysFilter t={t} label={days} list={list} presets={presets} />
    {children}
    <ClearFilters list={list} label={t('clear')} />
  </FilterBar>
)

const ANY = ''

type ChoiceProps<Value extends string> = {
  label: string
  /** What stands there while nothing is chosen. */
  unchosen: string
  value: Value | null
  options: readonly { value: Value; label: string }[]
  choose: (value: Value | null) => void
  className?: string | undefined
}

/** One of a few, or any. */
export function ChoiceFilter<Value extends string>({
  unchosen,
  options,
  choose,
  ...choice
}: ChoiceProps<Value>) {
  return (
    <Select
      className={choice.className ?? ''}
      aria-label={choice.label}
      value={choice.value ?? ANY}
      options={[{ value: ANY, label: unchosen }, ...options]}
      onChange={(chosen) => choose(options.find(({ value }) => value === chosen)?.value ?? null)}
    />
  )
}
