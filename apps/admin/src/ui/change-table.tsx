import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import styles from './change-table.module.css'
import { EmptyValue } from './text.tsx'

export type Change = { key: string; name: string; before: ReactNode; after: ReactNode }

/** What would change: the old value struck through, the new one beside it. */
export function ChangeTable({ caption, changes }: { caption: string; changes: readonly Change[] }) {
  const t = useTranslations('ui')
  return (
    <table className={styles['table']} aria-label={caption}>
      <thead>
        <tr>
          <th scope="col">{t('changeWhat')}</th>
          <th scope="col">{t('changeBefore')}</th>
          <th scope="col">{t('changeAfter')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ key, name, before, after }) => (
          <tr key={key}>
            <th scope="row">{name}</th>
            <td data-title={t('changeBefore')}>{before ? <del>{before}</del> : <EmptyValue />}</td>
            <td data-title={t('changeAfter')}>{after ? <ins>{after}</ins> : <EmptyValue />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
