'use client'

import type { SessionView } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { PlainTable } from '../../ui/plain-table.tsx'

/** The browser and system a user agent names, as far as one can tell. */
function deviceOf(userAgent: string): string {
  const browser = /(Edg|Firefox|Chrome|Safari)\//.exec(userAgent)?.[1]?.replace('Edg', 'Edge')
  const system = /(Windows|Mac OS X|Android|iPhone|iPad|Linux)/.exec(userAgent)?.[1]
  return [browser, system?.replace('Mac OS X', 'macOS')].filter(Boolean).join(' · ') || userAgent.slice(0, 40)
}

type SessionTableProps = {
  sessions: readonly SessionView[]
  /** The session that is being ended just now. */
  busyId: string | null
  revoke: (sessionId: string) => void
}

/** Open sessions, each with the way to end it. */
export function SessionTable({ sessions, busyId, revoke }: SessionTableProps) {
  const t = useTranslations('session.sessions')
  return (
    <PlainTable
      caption={t('title')}
      rows={sessions}
      rowKey={({ id }) => id}
      empty={t('empty')}
      columns={[
        {
          key: 'device',
          title: t('device'),
          cell: ({ userAgent, isCurrent }) => (
            <span>
              <span title={userAgent} data-raw="">
                {deviceOf(userAgent)}
              </span>{' '}
              {isCurrent && (
                <Badge tone="ok" icon="checkCircle">
                  {t('current')}
                </Badge>
              )}
            </span>
          ),
        },
        { key: 'address', title: t('address'), cell: ({ address }) => address },
        { key: 'created', title: t('created'), cell: ({ createdAt }) => <DateTime time={createdAt} /> },
        { key: 'seen', title: t('seen'), cell: ({ lastSeenAt }) => <DateTime time={lastSeenAt} relative /> },
        {
          key: 'act',
          title: t('act'),
          align: 'end',
          cell: ({ id, address, isCurrent }) =>
            !isCurrent && (
              <Button
                size="small"
                loading={busyId === id}
                aria-label={t('revokeOf', { address })}
                onClick={() => revoke(id)}
              >
                {t('revoke')}
              </Button>
            ),
        },
      ]}
    />
  )
}
