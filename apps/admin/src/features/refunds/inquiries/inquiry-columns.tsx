import type { AppleInquiryRow } from '@meridian/contracts'
import { useMessages, useTranslations } from 'next-intl'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { paths } from '../../../paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/data-table/column.ts'
import { DateTime } from '../../../ui/date-time.tsx'
import layout from '../../../ui/layout.module.css'
import { EmptyValue } from '../../../ui/text.tsx'
import { useCustomerPlace } from '../../related/use-customer-place.ts'
import styles from '../refunds.module.css'

const lines = `${layout['lines']} ${layout['start']}`

/** The word for a code of Apple's or of a setting; one that is newer than this console is shown as it is. */
function useWords(): (list: 'reasons' | 'opinions', code: string) => string {
  const { inquiries } = useMessages()
  return (list, code) => {
    const words: Readonly<Record<string, string>> = inquiries[list]
    return words[code] ?? code
  }
}

function Answer({ inquiry: { letPass, opinion } }: { inquiry: AppleInquiryRow }) {
  const t = useTranslations('inquiries')
  const word = useWords()
  return (
    <span className={lines}>
      <Badge tone={letPass ? 'back' : 'info'} icon={letPass ? 'refund' : 'shield'}>
        {t(letPass ? 'letPass' : 'refused')}
      </Badge>
      <span className={layout['note']}>{word('opinions', opinion)}</span>
    </span>
  )
}

/** When the user asked for the refund, and how often Apple then asked us. */
function Asked({ inquiry: { requestedAt, asked } }: { inquiry: AppleInquiryRow }) {
  const t = useTranslations('inquiries')
  return (
    <span className={lines}>
      <DateTime time={requestedAt} />
      {asked > 1 && <span className={layout['note']}>{t('asked', { times: asked })}</span>}
    </span>
  )
}

/** What went with the answer, for Apple's eyes. */
const Evidence = ({ text }: { text: string }) =>
  text ? <span className={styles['evidence']}>{text}</span> : <EmptyValue />

/** What Apple asked, what it was told and why; the same in the list, where it is `named` whom it concerns, and on the page of an order. */
export function useInquiryColumns({ named = false } = {}): Column<AppleInquiryRow>[] {
  const t = useTranslations('inquiries')
  const customerPlace = useCustomerPlace()
  const column = columnsOf(t)
  const word = useWords()
  return [
    column.id('attemptNo', ({ attemptNo }) => attemptNo, { key: 'attempt', card: 'head' }),
    ...(named
      ? [
          column.person('user', ({ customer }: AppleInquiryRow) => customer, {
            ...customerPlace,
            from: 'medium',
          }),
        ]
      : []),
    column.id('outTradeNo', ({ outTradeNo }) => outTradeNo, {
      key: 'order',
      href: ({ outTradeNo }) => paths.order({ outTradeNo: outTradeNo ?? '' }),
      ahead: true,
    }),
    column.cell('answer', (inquiry) => <Answer inquiry={inquiry} />, { card: 'sub' }),
    column.text('reason', ({ reason }) => reason && word('reasons', reason), { from: 'medium' }),
    column.cell('evidence', ({ evidence }) => <Evidence text={evidence} />, { from: 'wide' }),
    column.cell('requestedAt', (inquiry) => <Asked inquiry={inquiry} />, { skeleton: 112 }),
    column.time('answeredAt', ({ answeredAt }) => answeredAt, { from: 'vast' }),
  ]
}
