import superjson from 'superjson'
import { z } from 'zod'
import { DomainError } from '../../platform/errors/domain-error.ts'

const Kept = z.object({ json: z.unknown(), meta: z.unknown().optional() })

/** A query as JSON that still knows which of its values are moments. */
export const keepQuery = (query: object): object => superjson.serialize(query)

/**
 * The query again.
 * @throws DomainError invalid_request for anything else
 */
export function readQuery(kept: unknown): unknown {
  const found = Kept.safeParse(kept).data
  if (!found) throw new DomainError('invalid_request')
  return superjson.parse<unknown>(JSON.stringify(found))
}
