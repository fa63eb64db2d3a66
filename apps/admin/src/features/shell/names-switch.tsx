'use client'

import { mayOperator, NamesReveal } from '@meridian/contracts'
import { useRouter } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import popupStyles from '../../ui/popup.module.css'
import styles from './shell.module.css'

/** Shows the names of users for the rest of the session, or masks them again: every page is then read anew. */
function useSwitched() {
  const router = useRouter()
  return {
    invalidates: ['order', 'user', 'refund', 'subscription', 'device', 'search', 'operator'] as const,
    after: () => router.refresh(),
  }
}

/** Asks why the names of users are shown; what is typed goes to the audit log. */
function RevealNamesDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('shell.names')
  const ui = useTranslations('ui')
  const reveal = useAct({
    call: (api) => api.operator.revealNames.mutate,
    done: () => t('shown'),
    ...useSwitched(),
  })
  return (
    <FormDialog
      title={t('show')}
      lead={t('lead')}
      submitLabel={t('show')}
      schema={NamesReveal}
      start={{ reason: '' }}
      act={reveal}
      incomplete={ui('reasonNeeded')}
      fields={[{ kind: 'text', name: 'reason', label: ui('reason'), hint: ui('reasonHint'), rows: 2 }]}
      onClose={onClose}
    />
  )
}

/** What to press to show or mask names, for who may, and the dialog that asks why; null for everybody else. */
export function useNamesSwitch() {
  const t = useTranslations('shell.names')
  const { operator, namesRevealed } = useConsole()
  const [asking, setAsking] = useState(false)
  const hide = useAct({
    call: (api) => (_nothing: null) => api.operator.hideNames.mutate(),
    done: () => t('hidden'),
    ...useSwitched(),
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
