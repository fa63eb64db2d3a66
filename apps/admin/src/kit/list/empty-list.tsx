import { BlankSlate } from '../../ui/blank-slate.tsx'
import { Button } from '../../ui/button.tsx'
import type { IconName } from '../../ui/icon.tsx'
import type { ListState } from './use-list-state.ts'

type EmptyListProps = {
  t: (key: 'noMatchTitle' | 'noMatchHint' | 'clear' | 'emptyTitle' | 'emptyHint') => string
  list: Pick<ListState<unknown>, 'filtered' | 'first' | 'clear'>
  icon?: IconName
}

/** Where rows would be: nothing has come yet, or nothing matches the filters. */
export function EmptyList({ t, list, icon = 'inbox' }: EmptyListProps) {
  return list.filtered || !list.first ? (
    <BlankSlate
      icon="search"
      title={t('noMatchTitle')}
      hint={t('noMatchHint')}
      action={<Button onClick={list.clear}>{t('clear')}</Button>}
    />
  ) : (
    <BlankSlate icon={icon} title={t('emptyTitle')} hint={t('emptyHint')} />
  )
}
