'use client'

import type { ApprovalVerdict, Permission, WaitingApproval } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { ActButton } from '../../kit/act/act-button.tsx'
import { type Act, type ActDefinition, useAct } from '../../kit/act/use-act.ts'
import { useForbidden } from '../../session/operator-context.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Panel } from '../../ui/panel.tsx'
import styles from './approvals.module.css'
import { useObstacle } from './use-obstacle.ts'

/** The decision on what waits; it is said that it was decided unless there is more to say. */
export function useDecide<Output>(definition: ActDefinition<ApprovalVerdict, Output>) {
  const t = useTranslations('approvals')
  return useAct({ done: () => t('decided'), ...definition })
}

/** What a waiting change is called, and what shows what becomes what. */
export type Described = { name: string; changes: ReactNode }

type WaitingProps = {
  waiting: WaitingApproval
  describe: (waiting: WaitingApproval) => Described
  permission: Permission
  decide: Act<ApprovalVerdict>
  /** In place of what the decision failed with. */
  failure?: ReactNode
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

export type VerdictProps = Omit<WaitingProps, 'describe'> & {
  verdict: 'approve' | 'reject' | 'withdraw'
  obstacle: string | null
  described: Described
}

/** One verdict on it: its button, and the question once more with what would change. */
export function VerdictButton({ verdict, obstacle, described: { name, changes }, ...props }: VerdictProps) {
  const t = useTranslations('approvals')
  const { waiting, decide, permission, failure } = props
  const words = {
    title: t(`${verdict}Title`, { name }),
    lead: t(`${verdict}Hint`),
    submitLabel: t(`${verdict}Named`, { name }),
    danger: verdict === 'reject',
  }
  return (
    <ActButton
      icon={verdict === 'approve' ? 'check' : 'close'}
      label={t(verdict)}
      hint={words.lead}
      quiet
      permission={permission}
      forbidden={(who) => t('forbidden', who)}
      obstacle={obstacle}
      act={decide}
      input={{ id: waiting.id, approve: verdict === 'approve' }}
      confirm={{ ...words, failure, children: changes }}
    />
  )
}

function WaitingItem({ describe, ...props }: WaitingProps) {
  const { waiting, permission } = props
  const t = useTranslations('approvals')
  const forbidden = useForbidden(permission)
  const obstacleOf = useObstacle()
  const described = describe(waiting)
  const obstacle = obstacleOf(waiting.obstacle)
  const why = (forbidden && t('forbidden', forbidden)) ?? obstacle
  return (
    <li className={styles['waiting']} aria-label={described.name}>
      <h3>{described.name}</h3>
      {described.changes}
      <Requested waiting={waiting} />
      <span className={styles['acts']}>
        <VerdictButton {...props} verdict="approve" obstacle={obstacle} described={described} />
        <VerdictButton
          {...props}
          verdict={waiting.isOwn ? 'withdraw' : 'reject'}
          obstacle={null}
          described={described}
        />
        {why && <span className={styles['by']}>{why}</span>}
      </span>
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
