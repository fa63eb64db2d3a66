import { type AtHand, type AtHandQuery, MOST_PINS, SearchHit, SearchMatch } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { z } from 'zod'
import { columnsOf } from '../platform/sql/columns-of.ts'
import type { NameView } from '../platform/sql/show-nickname.ts'
import { readLimited } from '../platform/sql/transaction.ts'
import { hitSql } from './look.ts'

const { sql } = Prisma

const atHandColumns = columnsOf(z.object({ matched: SearchMatch, hit: SearchHit }))

/** Of each kind: its rows, and by what one is named. */
const named = {
  order: sql`orders o ON o.out_trade_no = w.id`,
  refund: sql`refunds r ON r.out_refund_no = w.id`,
  user: sql`users u ON u.id = CASE WHEN w.kind = 'user' THEN w.id::uuid END`,
  device: sql`devices d ON d.serial_number = w.id`,
} as const

const kinds = ['order', 'refund', 'user', 'device'] as const

type Asked = AtHandQuery & { operatorId: string; names: NameView }

/** What an operator pinned and what they opened last, as it stands now: one statement over thirty rows at most. */
export async function showAtHand(pool: Pool, { recent, operatorId, names }: Asked): Promise<AtHand> {
  const found = kinds.map(
    (kind) => sql`
      SELECT w.matched, w.place, json_build_object('matched', w.matched, ${hitSql[kind](names)}) AS hit
      FROM wanted w JOIN ${named[kind]} WHERE w.kind = ${kind}`,
  )
  const rows = await readLimited(
    pool,
    sql`
      WITH wanted AS MATERIALIZED (
        (SELECT 'pinned' AS matched, kind, subject_id AS id, row_number() OVER (ORDER BY pinned_at DESC) AS place
         FROM pins WHERE operator_id = ${operatorId}::uuid ORDER BY pinned_at DESC LIMIT ${MOST_PINS})
        UNION ALL
        SELECT 'recent', kind, id, place
        FROM unnest(${recent.map(({ kind }) => kind)}::text[], ${recent.map(({ id }) => id)}::text[])
          WITH ORDINALITY AS opened(kind, id, place))
      SELECT matched, hit FROM (${Prisma.join(found, ' UNION ALL ')}) found ORDER BY place`,
    atHandColumns,
  )
  const of = (wanted: SearchMatch) => rows.flatMap(({ matched, hit }) => (matched === wanted ? [hit] : []))
  return { pinned: of('pinned'), recent: of('recent') }
}
