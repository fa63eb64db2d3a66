'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { TextField } from '../../ui/form.tsx'
import styles from './session.module.css'

type CodeFieldProps = {
  value: string
  onChange: (value: string) => void
  fault?: string | null
  /** Whether a recovery code does as well; not while an authenticator is being set up. */
  recovery?: boolean
}

/** A one-time code: of the authenticator, or, on a bad day, one of those that were kept. */
export function CodeField({ value, onChange, fault = null, recovery = true }: CodeFieldProps) {
  const t = useTranslations('session.code')
  const [kind, setKind] = useState<'authenticator' | 'recovery'>('authenticator')
  const isRecovery = kind === 'recovery'
  const turn = () => {
    setKind(isRecovery ? 'authenticator' : 'recovery')
    onChange('')
  }
  return (
    <div className={styles['code']}>
      <TextField
        key={kind}
        label={isRecovery ? t('recovery') : t('authenticator')}
        hint={isRecovery ? t('recoveryHint') : t('authenticatorHint')}
        type="text"
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        value={value}
        onChange={onChange}
        fault={fault}
        autoFocus
      />
      {recovery && (
        <button type="button" className={styles['quiet']} onClick={turn}>
          {isRecovery ? t('useAuthenticator') : t('useRecovery')}
        </button>
      )}
    </div>
  )
}
