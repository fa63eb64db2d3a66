import {
  addFinance,
  type ChannelFinance,
  daysOfMonth,
  type FinanceMonth,
  type FinanceSums,
  formatFen,
  monthAfter,
  netFenOf,
} from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { formatCount } from '../../format.ts'
import { paths } from '../../paths.ts'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Change, Stat } from '../dashboard/dashboard-panel.tsx'
import styles from './finance.module.css'

type Days = { from: string; to: string }
type Channel = ChannelFinance['channel']

const paidIn = ({ from, to }: Days, channel?: Channel) =>
  paths.orders({ paid_from: from, paid_to: to, ...(channel && { channel }) })
const refundedIn = ({ from, to }: Days, channel?: Channel) =>
  paths.refunds({ succeeded_from: from, succeeded_to: to, ...(channel && { channel }) })

/**
 * The figures of a month: what each is of some sums, and the list that adds up to it. None adds up to the net, which takes
 * payments by their day and refunds by theirs; fees are in the bills of the days.
 */
const figures = [
  { key: 'net', read: netFenOf, isMoney: true, isCost: false, href: null },
  { key: 'gross', read: (sums: FinanceSums) => sums.grossFen, isMoney: true, isCost: false, href: paidIn },
  {
    key: 'refunded',
    read: (sums: FinanceSums) => -sums.refundFen,
    isMoney: true,
    isCost: true,
    href: refundedIn,
  },
  { key: 'fees', read: (sums: FinanceSums) => -sums.feeFen, isMoney: true, isCost: true, href: null },
  { key: 'orders', read: (sums: FinanceSums) => sums.orders, isMoney: false, isCost: false, href: paidIn },
  {
    key: 'refunds',
    read: (sums: FinanceSums) => sums.refunds,
    isMoney: false,
    isCost: true,
    href: refundedIn,
  },
] as const

/** Channels that moved money in either month; the parts of one are the whole. */
const usedChannels = ({ channels, before }: FinanceMonth) =>
  channels.filter(({ channel }) =>
    [...channels, ...before].some((part) => part.channel === channel && part.orders + part.refunds > 0),
  )

/** What the month comes to beside the month before, and what each channel brought. */
export function MonthFigures({ shown }: { shown: FinanceMonth }) {
  const t = useTranslations('finance')
  const channelNames = useTranslations('orders.channels')
  const [now, before] = [addFinance(shown.channels), addFinance(shown.before)]
  const days = daysOfMonth(shown.month)
  const parts = usedChannels(shown)
  // What is paid out is below zero: it is compared by how much it is.
  const comparedBy = (read: (sums: FinanceSums) => number, isCost: boolean) => {
    const size = (sums: FinanceSums) => (isCost ? Math.abs(read(sums)) : read(sums))
    return { now: size(now), before: size(before) }
  }
  return (
    <Panel title={t('headline', { month: shown.month, before: monthAfter(shown.month, -1) })}>
      <dl className={styles['stats']}>
        {figures.map(({ key, read, isMoney, isCost, href }) => {
          const say = isMoney ? formatFen : formatCount
          return (
            <Stat
              key={key}
              label={t(`figures.${key}`)}
              value={say(read(now))}
              {...(href && { href: href(days) })}
            >
              <Change {...comparedBy(read, isCost)} isCost={isCost} />
              {parts.length > 1 &&
                parts.map(({ channel, ...part }) => (
                  <span key={channel} className={styles['part']}>
                    <span>{channelNames(channel)}</span>
                    {href ? (
                      <Link href={href(days, channel)}>{say(read({ ...part }))}</Link>
                    ) : (
                      say(read(part))
                    )}
                  </span>
                ))}
            </Stat>
          )
        })}
      </dl>
      <p className={styles['rule']}>{t('rule')}</p>
    </Panel>
  )
}
