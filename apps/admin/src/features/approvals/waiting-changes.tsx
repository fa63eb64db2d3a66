'use client'

import type { Permission, WaitingApproval } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useForbidden } from '../../session/use-forbidden.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './approvals.module.css'
import { useObstacle } from './use-obstacle.ts'

/** What a waiting change is called, and what shows what becomes what. */
export type Described = { name: string; changes: ReactNode }

type Decide = {
  mutate: (verdict: { id: string; approve: boolean }, options: { onSuccess: () => void }) => void
  isPending: boolean
  failure: ReactNode
  reset: () => void
}

type WaitingProps = {
  waiting: WaitingApproval
  describe: (waiting: WaitingApproval) => Described
  permission: Permission
  decide: Decide
}

function Requested({ waiting }: Pick<WaitingProps, 'waiting'>) {
  const t = useTranslations('approvals')
  const { requestedBy, requestedAt, dueAt } = waiting
  return (
    <p className={styles['by']}>
      {t('requestedBy', { who: requestedBy })} <DateTime time={requestedAt} />
      {dueAt && (
        <>
          {' · '}
          {t('dueAt')} <DateTime time={dueAt} exact />
        </>
      )}
    </p>
  )
}

type Verdict = 'approve' | 'reject' | 'withdraw'

function WaitingItem({ waiting, describe, permission, decide }: WaitingProps) {
  const t = useTranslations('approvals')
  const forbidden = useForbidden(permission)
  const obstacleOf = useObstacle()
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const { name, changes } = describe(waiting)
  const denied = forbidden && t('forbidden', forbidden)
  const why = denied ?? obstacleOf(waiting.obstacle)
  const refusal = waiting.isOwn ? 'withdraw' : 'reject'
  const close = () => {
    decide.reset()
    setVerdict(null)
  }
  return (
    <li className={styles['waiting']} aria-label={name}>
      <h3>{name}</h3>
      {changes}
      <Requested waiting={waiting} />
      <span className={styles['acts']}>
        <ActionButton
          icon={<Icon name="check" />}
          busy={false}
          hint={t('approveHint')}
          disabledReason={why}
          onPress={() => setVerdict('approve')}
        >
          {t('approve')}
        </ActionButton>
        <ActionButton
          icon={<Icon name="close" />}
          quiet
          busy={false}
          hint={t(`${refusal}Hint`)}
          disabledReason={denied}
          onPress={() => setVerdict(refusal)}
        >
          {t(refusal)}
        </ActionButton>
        {why && <span className={styles['by']}>{why}</span>}
      </span>
      {verdict && (
        <Dialog
          title={t(`${verdict}Title`, { name })}
          lead={t(`${verdict}Hint`)}
          submitLabel={t(`${verdict}Named`, { name })}
          danger={verdict === 'reject'}
          submitting={decide.isPending}
          failure={decide.failure}
          onSubmit={() =>
            decide.mutate({ id: waiting.id, approve: verdict === 'approve' }, { onSuccess: close })
          }
          onClose={close}
        >
          {changes}
        </Dialog>
      )}
    </li>
  )
}

/** Changes that wait for a second person, above the page that they are about; nothing where none wait. */
export function WaitingChanges({
  waiting,
  ...props
}: Omit<WaitingProps, 'waiting'> & { waiting: readonly WaitingApproval[] }) {
  const t = useTranslations('approvals')
  if (waiting.length === 0) return null
  return (
    <div className={styles['above']}>
      <Panel title={t('title', { count: waiting.length })}>
        <ul className={styles['list']}>
          {waiting.map((one) => (
            <WaitingItem key={one.id} waiting={one} {...props} />
          ))}
        </ul>
      </Panel>
    </div>
  )
}
