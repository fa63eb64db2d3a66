'use client'

import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { IconButton } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { Popup } from '../popup.tsx'
import styles from './data-table.module.css'
import type { TableSheetProps } from './table-sheet.tsx'

const load = () => import('./table-sheet.tsx').then((module) => module.TableSheet)
const TableSheet = dynamic(load, { ssr: false, loading: () => <div className={styles['sheet']} /> })

/** How the table looks: behind a button, because it is asked for rarely. */
export function TableMenu(props: TableSheetProps) {
  const t = useTranslations('ui')
  return (
    <Popup
      label={t('tableMenu')}
      align="end"
      trigger={(attributes) => (
        <IconButton label={t('tableMenu')} onPointerEnter={load} onFocus={load} {...attributes}>
          <Icon name="columns" />
        </IconButton>
      )}
    >
      {() => <TableSheet {...props} />}
    </Popup>
  )
}
