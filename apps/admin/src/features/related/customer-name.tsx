'use client'

import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../kit/act/act-button.tsx'
import { paths } from '../../paths.ts'
import { useConsole } from '../../session/operator-context.tsx'
import { Person } from '../../ui/person.tsx'
import styles from './related.module.css'

const RevealNamesDialog = dynamic(
  () => import('../shell/names-dialog.tsx').then((module) => module.RevealNamesDialog),
  { ssr: false },
)

/** Shows the names of users for the rest of the session; nothing to press where they are shown. */
function ShowNames() {
  const t = useTranslations('shell.names')
  if (useConsole().namesRevealed) return null
  return (
    <ActButton
      icon="eye"
      label={t('show')}
      hint={t('lead')}
      quiet
      small
      permission="identifier.reveal"
      forbidden={(who) => t('forbidden', who)}
      dialog={(close) => <RevealNamesDialog onClose={close} />}
    />
  )
}

/** Who something belongs to, loud, with the end of their id; a masked name can be shown from here. */
export function CustomerName({ id, nickname }: { id: string; nickname: string | null }) {
  const t = useTranslations('related')
  return (
    <div className={styles['who']}>
      <Person id={id} idName={t('userId')} name={nickname ?? t('nameless')} href={paths.user({ id })} loud />
      {nickname !== null && <ShowNames />}
    </div>
  )
}
