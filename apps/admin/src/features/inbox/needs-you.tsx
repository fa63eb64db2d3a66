'use client'

import type { InboxItem } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { paths } from '../../paths.ts'
import { Icon } from '../../ui/icon.tsx'
import layout from '../../ui/layout.module.css'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useHydratedWaiting } from '../shell/use-waiting.ts'
import { DecideItem, isDecidedHere } from './decide-item.tsx'
import { firstOfInbox } from './first-of-inbox.ts'
import styles from './inbox.module.css'
import { Amount, Since, Urgency, What } from './item-cells.tsx'
import { pathOfItem } from './item-words.ts'

function Row({ item }: { item: InboxItem }) {
  const t = useTranslations('inbox')
  return (
    <li className={styles['row']}>
      <Urgency item={item} />
      <What item={item} named />
      <span className={styles['amount']}>
        {item.amountFen !== null && <Amount item={item} />}
        <Since item={item} />
      </span>
      <span className={layout['acts']}>
        {isDecidedHere(item) ? <DecideItem item={item} /> : <Link href={pathOfItem(item)}>{t('open')}</Link>}
      </span>
    </li>
  )
}

/** What the operator may act on, the most urgent first, before every figure; a quiet line where nothing waits. */
export function NeedsYou() {
  const t = useTranslations('inbox')
  const { waiting } = useHydratedWaiting()
  const { data } = useQuery({
    ...useTRPC().inbox.list.queryOptions(firstOfInbox),
    refetchInterval: 60_000,
  })
  if (!data) return null
  if (data.items.length === 0)
    return (
      <p className={styles['quiet']}>
        <Icon name="checkCircle" size={16} />
        {t('nothing')}
      </p>
    )
  return (
    <div className={styles['above']}>
      <Panel
        title={t('title')}
        aside={
          <Link href={paths.inbox()}>{waiting ? t('showAll', { waiting }) : t('showAllUncounted')}</Link>
        }
      >
        <ul className={styles['list']}>
          {data.items.map((item) => (
            <Row key={`${item.kind} ${item.id}`} item={item} />
          ))}
        </ul>
      </Panel>
    </div>
  )
}
