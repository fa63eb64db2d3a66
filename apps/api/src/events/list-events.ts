import { EventBody, type EventPage, type EventQuery, type PolledEvent } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'

const { sql } = Prisma

/** Where an event stands among all. Events are numbered in the order they become visible, by one collector at a time. */
async function placeOf(pool: Pool, eventId: string): Promise<bigint> {
  const [found] = await execute(
    pool,
    query('find-event', sql`SELECT id FROM events WHERE event_id = ${eventId}`, { id: column.bigint }),
  )
  if (found) return found.id
  const message = { zh: '没有这个事件，或已超过保留期', en: 'names no event that is still kept' }
  throw new DomainError('invalid_request', { errors: [{ path: 'after', message }] })
}

/**
 * Events after one, in the order they happened to each subject, for systems that ask instead of being called.
 * @throws DomainError invalid_request for an event that is not kept any more
 */
export async function listEvents(pool: Pool, { after, limit }: EventQuery): Promise<EventPage> {
  const place = after === undefined ? 0n : await placeOf(pool, after)
  const rows = await execute(
    pool,
    query(
      'list-events',
      sql`SELECT event_id AS id, body FROM events WHERE id > ${place} ORDER BY events.id LIMIT ${limit + 1}`,
      { id: column.text, body: column.text },
    ),
  )
  const items = rows
    .slice(0, limit)
    .map(({ id, body }): PolledEvent => ({ id, ...EventBody.parse(JSON.parse(body)) }))
  return { items, has_more: rows.length > limit }
}
