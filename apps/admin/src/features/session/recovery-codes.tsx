'use client'

import { useTranslations } from 'next-intl'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { FormShell } from '../../ui/form-shell.tsx'
import { Icon } from '../../ui/icon.tsx'
import { saveFile } from '../../ui/save-file.ts'
import styles from './session.module.css'

const download = (codes: readonly string[]) =>
  saveFile(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), 'meridian-recovery-codes.txt')

/** Recovery codes, and the ways to keep them. */
function RecoveryCodeList({ codes }: { codes: readonly string[] }) {
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

/** What is said where recovery codes are shown, this once. */
function useSheet(codes: readonly string[]) {
  const t = useTranslations('session.enrol')
  const words = { title: t('codesHeading'), lead: t('codesLead'), submitLabel: t('kept') }
  return { ...words, submitting: false, failure: null, children: <RecoveryCodeList codes={codes} /> }
}

/** The one time that recovery codes are shown, after an authenticator was set up. */
export function RecoveryCodeSheet({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return <FormShell {...useSheet(codes)} onSubmit={onDone} />
}

/** New recovery codes, shown this once. */
export function RenewedCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return <Dialog {...useSheet(codes)} onSubmit={onClose} onClose={onClose} />
}
