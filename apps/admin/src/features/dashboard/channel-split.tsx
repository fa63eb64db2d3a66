import { type DashboardRange, formatFen, type Money } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { Link } from '../../ui/link.tsx'
import styles from './dashboard.module.css'
import { formatShare, Share } from './dashboard-panel.tsx'

type ChannelSplitProps = { money: Money; range: DashboardRange }

/** How much of the gross came by which channel; nothing before virtual payment is configured or has sold. */
export function ChannelSplit({ money, range }: ChannelSplitProps) {
  const t = useTranslations('dashboard')
  const channels = useTranslations('orders.channels')
  const { data: compliance } = useQuery(useTRPC().plan.compliance.queryOptions())
  const { grossFen, orders, virtualFen, virtualOrders } = money
  if (orders === 0 || (virtualOrders === 0 && !compliance?.isVirtualConfigured)) return null
  const parts = [
    { channel: 'jsapi', fen: grossFen - virtualFen },
    { channel: 'virtual', fen: virtualFen },
  ] as const
  return (
    <section className={styles['split']} aria-label={t('byChannel')}>
      <h3 className={styles['subtitle']}>{t('byChannel')}</h3>
      <ul className={styles['bars']}>
        {parts.map(({ channel, fen }) => (
          <li key={channel}>
            <Link
              className={styles['row'] ?? ''}
              href={paths.orders({ channel, paid_from: range.from, paid_to: range.to })}
            >
              <span>{channels(channel)}</span>
              <Share part={fen} whole={grossFen} />
              <span className={styles['figureText']}>
                {formatFen(fen)} · {formatShare(fen, grossFen)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
