import { numberWithin, SearchHit, type SearchHits, SearchMatch } from '@meridian/contracts'
import { type Pool, Prisma, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/read-limited.ts'
import { SHOWN, searchPartsSql } from './search-parts.ts'

const { sql } = Prisma

const foundColumns = columnsOf(z.object({ matched: SearchMatch, hit: SearchHit }))
type Found = RowOf<typeof foundColumns>

const idOf = (hit: SearchHit): string => {
  if (hit.kind === 'order') return hit.outTradeNo
  if (hit.kind === 'refund') return hit.outRefundNo
  return hit.kind === 'user' ? hit.userId : hit.serialNumber
}

/** Each thing once, by what it matched first; of each match so many. */
function choose(found: readonly Found[]): SearchHits {
  const hits = new Map<string, SearchHit>()
  const shown = new Map<SearchMatch, number>()
  let more = false
  for (const { matched, hit } of found) {
    const key = `${hit.kind} ${idOf(hit)}`
    if (hits.has(key)) continue
    const count = shown.get(matched) ?? 0
    if (count === SHOWN) {
      more = true
      continue
    }
    hits.set(key, hit)
    shown.set(matched, count + 1)
  }
  return { hits: [...hits.values()], more }
}

/**
 * What a text leads to: an order, a refund, a user or a device by their id, its beginning or its end (four characters at
 * least), an order by the platform's transaction id or its end, a user by a part of their nickname, and, for who may
 * reveal identifiers, by their whole openid. A whole user id also leads to their newest orders. One statement of at most
 * two seconds, in which each part looks at 200 rows at most.
 * @throws DomainError range_too_wide
 */
export async function findAnything(
  pool: Pool,
  { text, mayReveal }: { text: string; mayReveal: boolean },
): Promise<SearchHits> {
  const parts = searchPartsSql(numberWithin(text), mayReveal)
  return choose(await readLimited(pool, sql`${Prisma.join(parts, ' UNION ALL ')}`, foundColumns))
}
