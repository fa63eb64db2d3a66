import type { AccessReason, SubscriptionDetail } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { formatTime } from '../../../format.ts'
import { paths } from '../../../paths.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { useSoldName } from '../../plans/plan-name.ts'
import { useFeatureName } from '../subscription-words.tsx'
import styles from './detail.module.css'

type Look = { tone: 'ok' | 'bad' | 'wait' | 'plain'; icon: IconName }

const looks: Record<AccessReason['code'], Look> = {
  disabled: { tone: 'bad', icon: 'alert' },
  never_had_days: { tone: 'plain', icon: 'dash' },
  ended: { tone: 'bad', icon: 'clock' },
  active_until: { tone: 'ok', icon: 'checkCircle' },
  days_from_order: { tone: 'plain', icon: 'receipt' },
  days_from_operator: { tone: 'plain', icon: 'check' },
  days_from_system: { tone: 'plain', icon: 'check' },
  days_from_import: { tone: 'plain', icon: 'check' },
  days_from_trial: { tone: 'plain', icon: 'check' },
  taken_with_import: { tone: 'wait', icon: 'refund' },
  taken_by_refund: { tone: 'wait', icon: 'refund' },
  taken_by_operator: { tone: 'wait', icon: 'refund' },
  paid_order_parked: { tone: 'bad', icon: 'alert' },
  unpaid_order_parked: { tone: 'wait', icon: 'alert' },
  order_unpaid: { tone: 'wait', icon: 'clock' },
  order_sent_back: { tone: 'wait', icon: 'refund' },
  feature_behind: { tone: 'wait', icon: 'clock' },
  days_requested: { tone: 'wait', icon: 'clock' },
}

/** Each sentence takes some of these. */
const absent = {
  days: 0,
  planName: '',
  serialNumber: '',
  reason: '',
  system: '',
  status: '',
  feature: '',
}

/** A reason as a sentence; what it names is a link. */
function useSentence(): (reason: AccessReason) => ReactNode {
  const t = useTranslations('subscriptions.why')
  const words = useTranslations('subscriptions')
  const statuses = useTranslations('orders.statuses')
  const parkReasons: Readonly<Record<string, string>> = useMessages().order.parkReasons
  const featureName = useFeatureName()
  const soldName = useSoldName()
  return (reason) => {
    const values = {
      ...absent,
      ...reason,
      ...('planName' in reason && { planName: soldName(reason.planName) }),
      at: 'at' in reason ? formatTime(reason.at) : '',
      ...('feature' in reason && { feature: featureName(reason.feature) }),
      ...((reason.code === 'paid_order_parked' || reason.code === 'unpaid_order_parked') && {
        reason: parkReasons[reason.reason] ?? reason.reason,
      }),
      ...('status' in reason && { status: statuses(reason.status) }),
      order: () =>
        'outTradeNo' in reason && (
          <Identifier value={reason.outTradeNo} name={words('outTradeNo')} href={paths.order(reason)} />
        ),
    }
    return t.rich(reason.code, values)
  }
}

/** Why this user has access or not, in sentences. */
export function WhyAccess({ subscription: { why, isActive } }: { subscription: SubscriptionDetail }) {
  const t = useTranslations('subscriptions')
  const sentence = useSentence()
  return (
    <Panel title={t(isActive ? 'whyActive' : 'whyInactive')}>
      <ul className={styles['why']}>
        {why.map((reason) => {
          const { tone, icon } = looks[reason.code]
          return (
            <li key={JSON.stringify(reason)} data-tone={tone}>
              <Icon name={icon} size={18} />
              <span>{sentence(reason)}</span>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
