'use client'

import { useTranslations } from 'next-intl'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import styles from './bulk-dialog.module.css'

export type BulkLine = {
  key: string
  label: string
  state: 'waiting' | 'running' | 'done' | 'refused' | 'left'
  /** What came of it, or why it was refused. */
  word: string
}

const icons: Record<BulkLine['state'], IconName> = {
  waiting: 'clock',
  running: 'sync',
  done: 'checkCircle',
  refused: 'alert',
  left: 'dash',
}

type BulkDialogProps = {
  title: string
  lead: string
  lines: readonly BulkLine[]
  onStop: () => void
  onClose: () => void
}

/** How far a bulk act has come, and what came of each row. */
export function BulkDialog({ title, lead, lines, onStop, onClose }: BulkDialogProps) {
  const t = useTranslations('ui')
  const words = { waiting: t('bulkWaiting'), running: t('bulkRunning'), left: t('bulkLeft') }
  const wordOf = ({ state, word }: BulkLine) =>
    state === 'done' || state === 'refused' ? word : words[state]
  const done = lines.filter(({ state }) => state !== 'waiting' && state !== 'running').length
  const running = done < lines.length
  const finish = running ? onStop : onClose
  return (
    <Dialog
      title={title}
      lead={lead}
      submitLabel={running ? t('bulkStop') : t('bulkClose')}
      submitting={false}
      failure={null}
      onSubmit={finish}
      onClose={finish}
    >
      <div className={styles['progress']}>
        <progress value={done} max={lines.length} aria-label={title} />
        <span role="status">{t('bulkProgress', { done, total: lines.length })}</span>
      </div>
      <ul className={styles['lines']}>
        {lines.map((line) => (
          <li key={line.key}>
            <span className={styles['label']}>{line.label}</span>
            <span className={styles['outcome']} data-state={line.state}>
              <Icon name={icons[line.state]} />
              <span>{wordOf(line)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
