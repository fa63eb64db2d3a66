'use client'

import { Button } from 'antd'
import { useTranslations } from 'next-intl'
import { useAnnounce } from '../../ui/announcer.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { FormShell } from '../../ui/form-shell.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './session.module.css'

function download(codes: readonly string[]): void {
  const file = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = file
  link.download = 'meridian-recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(file)
}

/** The one time that recovery codes are shown. */
export function RecoveryCodeSheet({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useTranslations('session.enrol')
  const announce = useAnnounce()
  const copyAll = async () => {
    if (await copyText(codes.join('\n'))) announce(t('copied'))
  }
  return (
    <FormShell
      title={t('codesHeading')}
      lead={t('codesLead')}
      submitLabel={t('kept')}
      submitting={false}
      failure={null}
      onSubmit={onDone}
    >
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
    </FormShell>
  )
}
