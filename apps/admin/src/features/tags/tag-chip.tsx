import { type TagChip as Tag, type TagColor, tagColors } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Column } from '../../ui/data-table/column.ts'
import { VisuallyHidden } from '../../ui/text.tsx'
import styles from './tags.module.css'

type TagChipProps = { tag: Pick<Tag, 'label' | 'color' | 'isArchived'>; children?: ReactNode }

/** A tag: its label in its colour; grey and dashed once it is not offered any more. */
export function TagChip({ tag: { label, color, isArchived }, children }: TagChipProps) {
  const t = useTranslations('tags')
  return (
    <span
      className={styles['chip']}
      data-tag={isArchived ? 'gray' : color}
      data-archived={isArchived || undefined}
      title={isArchived ? t('archivedTag', { label }) : label}
    >
      <span className={styles['label']}>{label}</span>
      {isArchived && <VisuallyHidden>{t('archivedMark')}</VisuallyHidden>}
      {children}
    </span>
  )
}

const FEW = 2

/** The first tags of a row, and how many there are besides: pointing at that names them. */
function FewTags({ tags }: { tags: readonly Tag[] }) {
  const t = useTranslations('tags')
  const rest = tags.slice(FEW)
  const names = rest.map(({ label }) => label).join(', ')
  return (
    <ul className={styles['few']} aria-label={t('title')}>
      {tags.slice(0, FEW).map((tag) => (
        <li key={tag.id}>
          <TagChip tag={tag} />
        </li>
      ))}
      {rest.length > 0 && (
        <li className={styles['more']} title={names}>
          <span aria-hidden="true">+{rest.length}</span>
          <VisuallyHidden>{names}</VisuallyHidden>
        </li>
      )}
    </ul>
  )
}

/** The column that names a row, with the row's tags below the name. */
export const withTags = <Row,>(column: Column<Row>): Column<Row & { tags: readonly Tag[] }> => ({
  ...column,
  cell: (row) =>
    row.tags.length === 0 ? (
      column.cell(row)
    ) : (
      <span className={styles['named']}>
        {column.cell(row)}
        <FewTags tags={row.tags} />
      </span>
    ),
})

type TagColorsProps = { name: string; value: TagColor; choose: (color: TagColor) => void }

/** One of the colours, each by its name and as it looks. */
export function TagColors({ name, value, choose }: TagColorsProps) {
  const t = useTranslations('tags')
  return (
    <fieldset className={styles['colors']}>
      <legend>{t('color')}</legend>
      {tagColors.map((color) => (
        <label key={color} className={`${styles['chip']} ${styles['color']}`} data-tag={color}>
          <input type="radio" name={name} checked={color === value} onChange={() => choose(color)} />
          {t(`colors.${color}`)}
        </label>
      ))}
    </fieldset>
  )
}
