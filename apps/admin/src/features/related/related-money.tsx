import { formatFen } from '@meridian/contracts'
import type { ReactNode } from 'react'
import { DateTime } from '../../ui/date-time.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useSoldName } from '../plans/plan-name.ts'
import styles from './related.module.css'

type RelatedMoneyProps = {
  title: string
  badge: ReactNode
  href: string
  amountFen: number
  planName: string
  number: string
  /** What the number is called where it is copied. */
  numberName: string
  createdAt: Date
}

/** The card of an order or a refund: its amount and plan, which lead to its page, its number and when it was made. */
export function RelatedMoney(props: RelatedMoneyProps) {
  const soldName = useSoldName()
  const { title, badge, href, amountFen, planName, number, numberName, createdAt } = props
  return (
    <Panel title={title} aside={badge}>
      <p className={styles['name']}>
        <Link href={href}>
          {formatFen(amountFen)} · {soldName(planName)}
        </Link>
      </p>
      <Identifier value={number} name={numberName} />
      <p className={styles['note']}>
        <DateTime time={createdAt} />
      </p>
    </Panel>
  )
}
