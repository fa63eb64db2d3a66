'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import styles from './form-shell.module.css'
import { Icon } from './icon.tsx'
import small from './icon-button.module.css'
import { TextField, type TextFieldProps } from './text-field.tsx'

/** A password: pasting and password managers are welcome, and it can be looked at. */
export function PasswordField(field: Omit<TextFieldProps, 'type' | 'suffix'>) {
  const t = useTranslations('ui')
  const [shown, setShown] = useState(false)
  const name = t(shown ? 'hidePassword' : 'showPassword')
  return (
    <TextField
      {...field}
      type={shown ? 'text' : 'password'}
      suffix={
        <button
          type="button"
          className={`${small['small']} ${styles['reveal']}`}
          aria-label={name}
          title={name}
          onClick={() => setShown(!shown)}
        >
          <Icon name={shown ? 'eyeOff' : 'eye'} size={18} />
        </button>
      }
    />
  )
}
