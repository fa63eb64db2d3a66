import { useTranslations } from 'next-intl'
import type { ListState } from '../../kit/list/use-list-state.ts'
import { Select } from '../../ui/select.tsx'
import styles from './tags.module.css'
import { useTagChoices } from './use-tag-choices.ts'

const ANY = ''

type TagFilterProps = { list: Pick<ListState<{ tag: string | null }>, 'params' | 'change'> }

/** What bears one tag, or anything; nothing to choose while there are no tags. */
export function TagFilter({ list: { params, change } }: TagFilterProps) {
  const t = useTranslations('tags')
  const { data } = useTagChoices()
  const { tag } = params
  const tags = (data?.items ?? []).map(({ id, label, isArchived }) => ({
    value: id,
    label: isArchived ? t('archivedTag', { label }) : label,
  }))
  if (tags.length === 0 && tag === null) return null
  const isKnown = tag === null || tags.some(({ value }) => value === tag)
  const gone = isKnown ? [] : [{ value: tag, label: data ? t('gone') : '…' }]
  return (
    <Select
      className={styles['filter'] ?? ''}
      aria-label={t('filter')}
      searchable={tags.length > 8}
      value={tag ?? ANY}
      options={[{ value: ANY, label: t('any') }, ...tags, ...gone]}
      onChange={(chosen) => change({ tag: chosen === ANY ? null : chosen })}
    />
  )
}
