'use client'

import { type FeedKind, type FeedRow, feedKinds, mayOperator } from '@meridian/contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { parseAsArrayOf, parseAsStringLiteral, useQueryState } from 'nuqs'
import { useFailure, useTRPC } from '../../../api-client/api-provider.tsx'
import { useConsole } from '../../../session/operator-context.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { DateTime } from '../../../ui/date-time.tsx'
import { FailurePanel } from '../../../ui/failure-panel.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import styles from './feed.module.css'
import { useFeedSentence } from './feed-words.tsx'

const AT_ONCE = 20

/** The kinds in the address, of which any are shown; none is all. */
const useKinds = () =>
  useQueryState(
    'feed',
    parseAsArrayOf(parseAsStringLiteral(feedKinds)).withDefault([]).withOptions({ history: 'push' }),
  )

type Chips = { kinds: readonly FeedKind[]; set: (kinds: FeedKind[]) => void }

/** What the feed is narrowed to: each kind is pressed on and off, and "everything" takes all off. */
function KindChips({ kinds, set }: Chips) {
  const t = useTranslations('feed')
  const { role } = useConsole().operator
  const shown = feedKinds.filter((kind) => kind !== 'reports' || mayOperator(role, 'report.read'))
  const turn = (kind: FeedKind) =>
    set(kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind])
  return (
    <fieldset className={styles['chips']} aria-label={t('narrow')}>
      <button type="button" aria-pressed={kinds.length === 0} onClick={() => set([])}>
        {t('everything')}
      </button>
      {shown.map((kind) => (
        <button key={kind} type="button" aria-pressed={kinds.includes(kind)} onClick={() => turn(kind)}>
          {t(`kinds.${kind}`)}
        </button>
      ))}
    </fieldset>
  )
}

function FeedLine({ row: { at, item } }: { row: FeedRow }) {
  const t = useTranslations('feed')
  const { tone, says, by, aside } = useFeedSentence()(item)
  return (
    <li className={styles['line']}>
      <Badge tone={tone}>{t(`kinds.${item.kind}`)}</Badge>
      <div className={styles['what']}>
        <div>{says}</div>
        {aside && <div className={styles['aside']}>{aside}</div>}
        <div className={styles['when']}>
          <DateTime time={at} relative />
          {by && <span>{by}</span>}
        </div>
      </div>
    </li>
  )
}

type Page = { items: FeedRow[]; nextCursor: string | null }

function useFeed(id: string, kinds: FeedKind[]) {
  return useInfiniteQuery(
    useTRPC().customer.feed.infiniteQueryOptions(
      { id, kinds, limit: AT_ONCE },
      { getNextPageParam: ({ nextCursor }: Page) => nextCursor },
    ),
  )
}

function FeedList({ query }: { query: ReturnType<typeof useFeed> }) {
  const t = useTranslations('feed')
  const failureOf = useFailure()
  const failure = query.data ? null : failureOf(query.error)
  if (failure) return <FailurePanel failure={failure} onRetry={() => void query.refetch()} />
  if (!query.data) return <Skeleton height={320} />
  const rows = query.data.pages.flatMap(({ items }) => items)
  if (rows.length === 0) return <p className={styles['none']}>{t('nothing')}</p>
  return (
    <>
      <ol className={styles['feed']}>
        {rows.map((row) => (
          <FeedLine key={row.id} row={row} />
        ))}
      </ol>
      {query.hasNextPage && (
        <Button block loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('older')}
        </Button>
      )}
    </>
  )
}

/** Everything that happened with a customer, the newest first. */
export function FeedPanel({ id }: { id: string }) {
  const t = useTranslations('feed')
  const [kinds, set] = useKinds()
  const query = useFeed(id, kinds)
  return (
    <Panel title={t('title')}>
      <div className={styles['panel']}>
        <KindChips kinds={kinds} set={(next) => void set(next)} />
        <FeedList query={query} />
      </div>
    </Panel>
  )
}
