'use client'

import { type Difference, formatFen } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { Loaded } from '../../kit/page/page-content.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { DetailColumns, DetailHead } from '../../ui/detail-page.tsx'
import { Link } from '../../ui/link.tsx'
import { Panel } from '../../ui/panel.tsx'
import { NotesPanel } from '../notes/notes-panel.tsx'
import { RelatedCards } from '../related/customer-card.tsx'
import { About, DifferenceActs, useResolution, useSides } from './differences.tsx'

type DifferenceProps = { difference: Difference }

/** What was found, where, and how far apart it is. */
function Found({ difference }: DifferenceProps) {
  const t = useTranslations('reconciliation')
  const { ours, theirs } = useSides(difference)
  const { date, billGapFen, ledgerGapFen, foundAt, adjustment } = difference
  return (
    <Panel title={t('found')}>
      <DescriptionList
        wide
        items={[
          {
            key: 'date',
            term: t('date'),
            value: (
              <>
                <Link href={paths.reconciledDay({ date })}>{date}</Link>
                {adjustment && ` · ${t('adjustment')}`}
              </>
            ),
          },
          { key: 'about', term: t('about'), value: <About difference={difference} /> },
          { key: 'ours', term: t('ours'), value: ours },
          { key: 'theirs', term: t('theirs'), value: theirs },
          { key: 'billGap', term: t('billGap'), value: formatFen(billGapFen) },
          { key: 'ledgerGap', term: t('ledgerGap'), value: formatFen(ledgerGapFen) },
          { key: 'foundAt', term: t('foundAt'), value: <DateTime time={foundAt} exact relative /> },
        ]}
      />
    </Panel>
  )
}

/** Who looks after it and what they are advised; or how it ended, and by whom. */
function Progress({ difference }: DifferenceProps) {
  const t = useTranslations('reconciliation')
  const wordFor = useResolution()
  const { state, ownerEmail, suggestedAction, resolution, resolvedByEmail, resolvedAt } = difference
  const waiting = [
    { key: 'advice', term: t('advice'), value: t(`actions.${suggestedAction}`) },
    { key: 'owner', term: t('owner'), value: ownerEmail },
  ]
  const ended = [
    { key: 'resolution', term: t('word'), value: resolution && wordFor(resolution) },
    { key: 'by', term: t('resolvedBy'), value: resolvedByEmail },
    { key: 'at', term: t('resolvedAt'), value: resolvedAt && <DateTime time={resolvedAt} exact /> },
  ]
  return (
    <Panel title={t('progress')}>
      <DescriptionList wide items={state === 'open' ? waiting : ended} />
    </Panel>
  )
}

function Content({ difference }: DifferenceProps) {
  const t = useTranslations('reconciliation')
  const { id, kind, state, outTradeNo } = difference
  return (
    <>
      <DetailHead
        back={{ href: paths.reconciliation({ view: 'differences' }), label: t('backToDifferences') }}
        title={t(`kinds.${kind}`)}
        id={{ value: id, name: t('difference') }}
        state={<Badge tone={state === 'open' ? 'wait' : 'ok'}>{t(`differenceStates.${state}`)}</Badge>}
        actions={state === 'open' && <DifferenceActs difference={difference} />}
      />
      <DetailColumns
        aside={
          <>
            {outTradeNo && <RelatedCards of={{ outTradeNo }} />}
            <NotesPanel subject={{ kind: 'difference', id }} />
          </>
        }
      >
        <Found difference={difference} />
        <Progress difference={difference} />
      </DetailColumns>
    </>
  )
}

/** One difference between our books and the platform's: both sides, what is to be done, and what colleagues wrote. */
export function DifferenceView({ id }: { id: string }) {
  const query = useQuery(useTRPC().reconciliation.difference.queryOptions({ id }))
  return <Loaded query={query}>{(difference) => <Content difference={difference} />}</Loaded>
}
