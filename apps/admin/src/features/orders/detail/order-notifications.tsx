import type { OrderNotification } from '@meridian/contracts'
import Link from 'next/link'
import { useTranslations } from 'next-intl'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { PlainTable } from '../../../ui/plain-table.tsx'
import { useNotificationType } from '../../notifications/use-notification-type.ts'
import { useWord } from './use-word.ts'

/** Outcomes after which a notification is done with. */
const final = ['applied', 'already_paid', 'ignored']

function Outcome({ outcome }: { outcome: string }) {
  const word = useWord()
  const done = final.includes(outcome)
  return (
    <Badge tone={done ? 'ok' : 'bad'} icon={done ? 'checkCircle' : 'alert'}>
      {word('notificationOutcomes', outcome)}
    </Badge>
  )
}

/** What the platform told us about this order, unasked. */
export function OrderNotifications({ notifications }: { notifications: readonly OrderNotification[] }) {
  const t = useTranslations('order')
  const typeOf = useNotificationType()
  return (
    <Panel title={t('notifications')}>
      <PlainTable
        caption={t('notifications')}
        rows={notifications}
        rowKey={(notification) => notification.id}
        empty={t('notificationsEmpty')}
        columns={[
          {
            key: 'type',
            title: t('eventType'),
            cell: ({ id, eventType }) => <Link href={paths.notification({ id })}>{typeOf(eventType)}</Link>,
          },
          { key: 'outcome', title: t('outcome'), cell: ({ outcome }) => <Outcome outcome={outcome} /> },
          { key: 'deliveries', title: t('deliveries'), align: 'end', cell: ({ deliveries }) => deliveries },
          { key: 'lastAt', title: t('lastAt'), cell: ({ lastAt }) => <DateTime time={lastAt} exact /> },
        ]}
      />
    </Panel>
  )
}
