import { formatFen, type SearchHit } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { useTranslations } from 'next-intl'
import { useFailure, useTRPC } from '../../api-client/api-provider.tsx'
import { truncateMiddle } from '../../format.ts'
import { Icon } from '../../ui/icon.tsx'
import { describeHit, isSearchable, itemValue } from './hits.ts'
import styles from './palette.module.css'

export type Search = { hits: readonly SearchHit[]; more: boolean; searching: boolean; failure: string | null }

const none: readonly SearchHit[] = []

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

function useAside(): (hit: SearchHit) => string {
  const t = useTranslations('palette')
  return (hit) => {
    if (hit.kind === 'order') return `${hit.planName} · ${formatFen(hit.amountFen)}`
    if (hit.kind === 'refund') return `${t('refund')} · ${formatFen(hit.amountFen)}`
    return hit.kind === 'user' ? (hit.nickname ?? t('user')) : (hit.model ?? t('device'))
  }
}

/** By what it was found, and of an order by which channel it is paid. */
function useMatched(): (hit: SearchHit) => string {
  const t = useTranslations('palette')
  return (hit) => {
    const matched = t(`matched.${hit.matched}`)
    return hit.kind === 'order' ? `${matched} · ${t(`channels.${hit.channel}`)}` : matched
  }
}

type FoundHitsProps = { hits: readonly SearchHit[]; more: boolean; go: (hit: SearchHit) => void }

/** What a text leads to, and by what: found by the API, so the palette's own matching must not hide it. */
export function FoundHits({ hits, more, go }: FoundHitsProps) {
  const t = useTranslations('palette')
  const asideOf = useAside()
  const matchedOf = useMatched()
  if (hits.length === 0) return null
  return (
    <Command.Group heading={t('found')} forceMount>
      {hits.map((hit) => {
        const { id, icon } = describeHit(hit)
        return (
          <Command.Item
            key={itemValue(hit)}
            value={itemValue(hit)}
            onSelect={() => go(hit)}
            className={styles['item'] ?? ''}
          >
            <Icon name={icon} />
            <span className={styles['hit']}>
              <span className={styles['id']}>{truncateMiddle(id)}</span>
              <span className={styles['matched']}>{matchedOf(hit)}</span>
            </span>
            <span className={styles['aside']}>{asideOf(hit)}</span>
          </Command.Item>
        )
      })}
      {more && <p className={styles['more']}>{t('more')}</p>}
    </Command.Group>
  )
}
