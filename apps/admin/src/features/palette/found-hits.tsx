import { type AtHand, formatFen, type SearchHit } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { useConsole } from '../../session/operator-context.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Shortened } from '../../ui/identifier.tsx'
import { orderLooks } from '../orders/order-looks.ts'
import { useSoldName } from '../plans/plan-name.ts'
import { describeHit, isSearchable, itemValue } from './hits.ts'
import styles from './palette.module.css'
import { readRecent } from './recent.ts'

export type Search = { hits: readonly SearchHit[]; more: boolean; searching: boolean; failure: string | null }

const none: readonly SearchHit[] = []
const nothingAtHand: AtHand = { pinned: [], recent: [] }

/** What is pinned and what was opened last, while nothing is typed; a pinned thing is not shown twice. */
export function useAtHand(text: string): AtHand {
  const trpc = useTRPC()
  const operatorId = useConsole().operator.id
  const [recent] = useState(() => readRecent(operatorId))
  const enabled = text.trim() === ''
  const atHand = useQuery({ ...trpc.search.atHand.queryOptions({ recent }), enabled, staleTime: 5_000 })
  if (!enabled || !atHand.data) return nothingAtHand
  const { pinned } = atHand.data
  const values = new Set(pinned.map(itemValue))
  return { pinned, recent: atHand.data.recent.filter((hit) => !values.has(itemValue(hit))) }
}

/** What the palette knows the first thing at hand by; null where there is none. */
export function nearestOf({ pinned, recent }: AtHand): string | null {
  const nearest = pinned[0] ?? recent[0]
  return nearest ? itemValue(nearest) : null
}

/** What a text leads to; asked for as soon as it can be an id. Never the hits of another text. */
export function useSearch(text: string): Search {
  const trpc = useTRPC()
  const failureOf = useFailure()
  const wanted = text.trim()
  const enabled = isSearchable(wanted)
  const search = useQuery({ ...trpc.search.find.queryOptions({ text: wanted }), enabled, staleTime: 5_000 })
  return {
    hits: search.data?.hits ?? none,
    more: search.data?.more ?? false,
    searching: enabled && search.isPending,
    failure: failureOf(search.error)?.title ?? null,
  }
}

type Shown = { name: string | null; notes: readonly string[]; aside: readonly string[] }

/** What tells a hit from its like: whose it is, by what it was found, how much and of when. */
function useShown(): (hit: SearchHit) => Shown {
  const t = useTranslations('palette')
  const soldName = useSoldName()
  return (hit) => {
    const by = hit.matched
    const matched = by === 'pinned' || by === 'recent' ? [] : [t(`matched.${by}`)]
    switch (hit.kind) {
      case 'order': {
        const { payer, planName, channel, paidOn, createdOn, amountFen } = hit
        const day = paidOn ? t('paidOn', { day: paidOn }) : t('createdOn', { day: createdOn })
        return {
          name: payer,
          notes: [soldName(planName), ...matched, t(`channels.${channel}`)],
          aside: [formatFen(amountFen), day],
        }
      }
      case 'refund':
        return { name: null, notes: matched, aside: [formatFen(-hit.amountFen), t('refund')] }
      case 'user':
        return { name: hit.nickname, notes: matched, aside: [t('user')] }
      case 'device':
        return { name: null, notes: matched, aside: [hit.model ?? t('device')] }
    }
  }
}

function Hit({ hit, shown: { name, notes, aside } }: { hit: SearchHit; shown: Shown }) {
  const t = useTranslations('palette')
  const { id, icon } = describeHit(hit)
  const short = (
    <span className={styles['id']} title={id} data-raw="">
      <Shortened value={id} />
    </span>
  )
  return (
    <>
      <Icon name={icon} />
      <span className={styles['hit']}>
        <span className={styles['who']}>
          {name === null ? short : <strong className={styles['name']}>{name}</strong>}
          {hit.kind === 'order' && <Badge {...orderLooks[hit.status]}>{t(`statuses.${hit.status}`)}</Badge>}
        </span>
        <span className={styles['matched']}>
          {name !== null && short}
          {notes.join(' · ')}
        </span>
      </span>
      <span className={styles['aside']}>
        {aside.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </span>
    </>
  )
}

type FoundHitsProps = {
  heading: string
  hits: readonly SearchHit[]
  more?: boolean
  go: (hit: SearchHit) => void
}

/** What a text leads to, and by what: found by the API, so the palette's own matching must not hide it. */
export function FoundHits({ heading, hits, more = false, go }: FoundHitsProps) {
  const t = useTranslations('palette')
  const shownOf = useShown()
  if (hits.length === 0) return null
  return (
    <Command.Group heading={heading} forceMount>
      {hits.map((hit) => (
        <Command.Item
          key={itemValue(hit)}
          value={itemValue(hit)}
          onSelect={() => go(hit)}
          className={styles['item'] ?? ''}
        >
          <Hit hit={hit} shown={shownOf(hit)} />
        </Command.Item>
      ))}
      {more && <p className={styles['more']}>{t('more')}</p>}
    </Command.Group>
  )
}
