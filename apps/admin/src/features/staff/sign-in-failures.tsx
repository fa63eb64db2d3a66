'use client'

import { retention, type SignInFailure } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { columnsOf } from '../../kit/list/columns.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table/column.ts'
import { FailurePanel } from '../../ui/failure-panel.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './staff.module.css'

/** So many are seen at a glance; a flood of them does not make the page long. */
const shownAtFirst = 8

function FailureTable({ failures }: { failures: readonly SignInFailure[] }) {
  const t = useTranslations('staff.signInFailures')
  const [all, setAll] = useState(false)
  const column = columnsOf(t)
  const who = (failure: SignInFailure) =>
    failure.operatorId === null ? (
      failure.who
    ) : (
      <Link href={paths.staffMember({ id: failure.operatorId })} prefetch={false}>
        {failure.who}
      </Link>
    )
  const rest = failures.length > shownAtFirst && !all
  const columns: Column<SignInFailure>[] = [
    column.time('at', ({ at }) => at),
    column.cell('who', who),
    column.cell('address', ({ address }) => address),
    column.text('reason', ({ reason }) => t(`reasons.${reason}`)),
  ]
  return (
    <>
      <PlainTable
        caption={t('title')}
        rows={rest ? failures.slice(0, shownAtFirst) : failures}
        rowKey={({ id }) => id}
        empty={t('empty', retention.sign_in_failures)}
        columns={columns}
      />
      {rest && (
        <Button className={styles['more'] ?? ''} onClick={() => setAll(true)}>
          {t('showAll', { count: failures.length })}
        </Button>
      )}
    </>
  )
}

/** The latest failed sign-ins, for owners: who is shown masked. */
export function SignInFailures() {
  const t = useTranslations('staff.signInFailures')
  const failureOf = useFailure()
  const { data, error, refetch } = useQuery(useTRPC().staff.signInFailures.queryOptions())
  const failure = data === undefined ? failureOf(error) : null
  return (
    <div className={styles['failures']}>
      <Panel title={t('title')}>
        <p className={styles['lead']}>{t('lead', retention.sign_in_failures)}</p>
        {!data && !failure && <Skeleton height={160} />}
        {failure && <FailurePanel failure={failure} onRetry={() => void refetch()} />}
        {data && <FailureTable failures={data} />}
      </Panel>
    </div>
  )
}
