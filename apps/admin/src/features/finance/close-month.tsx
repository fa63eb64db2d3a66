'use client'

import { addFinance, type FinanceMonth, formatFen, netFenOf } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { formatCount } from '../../format.ts'
import { DialogAct, defineDialogAct } from '../../kit/act/define-act.tsx'
import { paths } from '../../paths.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Raw } from '../../ui/text.tsx'
import styles from './finance.module.css'

const CloseMonthDialog = dynamic(
  () => import('./close-month-dialog.tsx').then((module) => module.CloseMonthDialog),
  { ssr: false },
)

const closeMonth = defineDialogAct(() => useTranslations('finance'), {
  icon: 'checkCircle',
  permission: 'month.close',
  words: (t) => ({ label: t('close'), hint: t('closeHint'), forbidden: (who) => t('closeForbidden', who) }),
  dialog: ({ shown }: { shown: FinanceMonth }, close) => <CloseMonthDialog shown={shown} onClose={close} />,
})

const openDaysOf = ({ days }: FinanceMonth) => days.filter(({ state }) => state !== 'closed')

/** Why the month cannot be closed now, as far as the page knows; the API decides. */
function useObstacle(shown: FinanceMonth): string | null {
  const t = useTranslations('finance')
  if (shown.closing) return t('verdicts.already_closed')
  const open = openDaysOf(shown)
  if (open.some(({ state }) => state === 'ahead')) return t('notOver')
  return open.length > 0 ? t('openDays', { count: open.length }) : null
}

export function CloseMonth({ shown }: { shown: FinanceMonth }) {
  return <DialogAct of={closeMonth} shown={shown} obstacle={useObstacle(shown)} />
}

function Closed({ closing, changed }: FinanceMonth & { closing: NonNullable<FinanceMonth['closing']> }) {
  const t = useTranslations('finance')
  const sums = addFinance(closing.channels)
  return (
    <Notice tone={changed ? 'wait' : 'info'} icon="checkCircle">
      <span>
        {t('closedBy', { name: closing.closedBy })} <DateTime time={closing.closedAt} /> ·{' '}
        {t('closedWith', { net: formatFen(netFenOf(sums)), rows: formatCount(closing.rows) })} · SHA-256{' '}
        <Raw className={styles['checksum']}>{closing.checksum.slice(0, 12)}</Raw>
        {changed && (
          <>
            {' '}
            {t('changedSince', {
              gross: formatFen(changed.grossFen),
              refunds: formatFen(-changed.refundFen),
              fees: formatFen(-changed.feeFen),
            })}
          </>
        )}
      </span>
    </Notice>
  )
}

/** What stands in the way of the closing, day by day, or what was closed. */
export function ClosingNotice({ shown }: { shown: FinanceMonth }) {
  const t = useTranslations('finance')
  const { closing } = shown
  if (closing) return <Closed {...shown} closing={closing} />
  const open = openDaysOf(shown)
  if (open.length === 0) return <Notice tone="info">{t('canBeClosed')}</Notice>
  if (open.some(({ state }) => state === 'ahead')) return null
  return (
    <Notice tone="wait" icon="clock">
      <span>
        {t('openDays', { count: open.length })}:{' '}
        {open.map(({ day, state }) => (
          <span key={day} className={styles['openDay']}>
            {state === 'waiting' ? day : <Link href={paths.reconciledDay({ date: day })}>{day}</Link>}{' '}
            {t(`states.${state}`)}
          </span>
        ))}
      </span>
    </Notice>
  )
}
