'use client'

import { mayOperator } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useAct } from '../../kit/act/use-act.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import popupStyles from '../../ui/popup.module.css'
import styles from './shell.module.css'
import { useNamesSwitched } from './use-names-switched.ts'

const RevealNamesDialog = dynamic(
  () => import('./names-dialog.tsx').then((module) => module.RevealNamesDialog),
  { ssr: false },
)

/** What to press to show or mask names, for who may, and the dialog that asks why; null for everybody else. */
export function useNamesSwitch() {
  const t = useTranslations('shell.names')
  const { operator, namesRevealed } = useConsole()
  const [asking, setAsking] = useState(false)
  const hide = useAct({
    call: (api) => (_nothing: null) => api.operator.hideNames.mutate(),
    done: () => t('hidden'),
    ...useNamesSwitched(),
  })
  if (!mayOperator(operator.role, 'identifier.reveal')) return null
  return {
    label: t(namesRevealed ? 'hide' : 'show'),
    icon: namesRevealed ? ('eyeOff' as const) : ('eye' as const),
    press: () => (namesRevealed ? hide.press(null) : setAsking(true)),
    dialog: asking ? <RevealNamesDialog onClose={() => setAsking(false)} /> : null,
  }
}

export type NamesSwitch = NonNullable<ReturnType<typeof useNamesSwitch>>

/** The switch as an entry of the operator's menu. */
export function NamesEntry({
  names: { label, icon, press },
  close,
}: {
  names: NamesSwitch
  close: () => void
}) {
  return (
    <button
      type="button"
      className={popupStyles['entry']}
      onClick={() => {
        close()
        press()
      }}
    >
      <Icon name={icon} />
      {label}
    </button>
  )
}

/** Says on every page that this session shows names. */
export function NamesBadge() {
  const t = useTranslations('shell.names')
  if (!useConsole().namesRevealed) return null
  return (
    <span className={styles['namesBadge']} title={t('badgeHint')}>
      <Badge tone="wait" icon="eye">
        {t('badge')}
      </Badge>
    </span>
  )
}
