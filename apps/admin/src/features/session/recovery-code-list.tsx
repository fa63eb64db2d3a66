'use client'

import { useTranslations } from 'next-intl'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { saveFile } from '../../ui/save-file.ts'
import styles from './session.module.css'

const download = (codes: readonly string[]) =>
  saveFile(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), 'meridian-recovery-codes.txt')

/** Recovery codes, and the ways to keep them. */
export function RecoveryCodeList({ codes }: { codes: readonly string[] }) {
  const t = useTranslations('session.enrol')
  const announce = useAnnounce()
  const copyAll = async () => {
    if (await copyText(codes.join('\n'))) announce(t('copied'))
  }
  return (
    <>
      <ul className={styles['codes']} aria-label={t('codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles['line']}>
        <Button icon={<Icon name="copy" />} onClick={copyAll}>
          {t('copyAll')}
        </Button>
        <Button onClick={() => download(codes)}>{t('download')}</Button>
      </div>
    </>
  )
}
