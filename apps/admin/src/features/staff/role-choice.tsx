'use client'

import { OperatorRole } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import styles from './staff.module.css'

/** What somebody may do, in words for each role. */
export function RoleChoice({ value, choose }: { value: OperatorRole; choose: (role: OperatorRole) => void }) {
  const t = useTranslations('staff')
  const roles = useTranslations('shell.roles')
  return (
    <fieldset className={styles['roles']}>
      <legend>{t('role')}</legend>
      {OperatorRole.options.map((role) => (
        <label key={role}>
          <input type="radio" name="role" checked={value === role} onChange={() => choose(role)} />
          {roles(role)}
          <small>{t(`roleHints.${role}`)}</small>
        </label>
      ))}
    </fieldset>
  )
}
