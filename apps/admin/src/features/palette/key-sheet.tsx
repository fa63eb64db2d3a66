'use client'

import { useTranslations } from 'next-intl'
import { useConsole } from '../../session/operator-context.tsx'
import { TellingDialog } from '../../ui/dialog.tsx'
import { jumps } from '../shell/navigation.ts'
import styles from './palette.module.css'

/** Every key of the console on one sheet. */
export function KeySheet({ onClose }: { onClose: () => void }) {
  const t = useTranslations('palette')
  const pages = useTranslations('shell.pages')
  const { role } = useConsole().operator
  const keys = [
    ['⌘K / Ctrl K', t('keys.find')],
    ['⌘C / Ctrl C', t('keys.copy')],
    ['?', t('keys.help')],
    ['/', t('keys.search')],
    ['↑ ↓', t('keys.rows')],
    ['Enter', t('keys.open')],
    ['x', t('keys.select')],
    ['[ ]', t('keys.turn')],
    ['n', t('keys.note')],
    ['t', t('keys.tag')],
    ...jumps(role).map(({ letter, key }) => [`g ${letter}`, t('keys.go', { page: pages(key) })] as const),
  ] as const
  return (
    <TellingDialog title={t('keys.title')} submitLabel={t('keys.done')} onClose={onClose}>
      <dl className={styles['keys']}>
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </TellingDialog>
  )
}
