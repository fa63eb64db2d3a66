'use client'

import { useState } from 'react'
import styles from './form-shell.module.css'
import { Icon } from './icon.tsx'
import small from './icon-button.module.css'
import { TextField, type TextFieldProps } from './text-field.tsx'

type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'suffix'> & {
  /** The names of the button that shows and hides what is typed. */
  reveal: { show: string; hide: string }
}

/** A password: pasting and password managers are welcome, and it can be looked at. */
export function PasswordField({ reveal, ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const name = shown ? reveal.hide : reveal.show
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
