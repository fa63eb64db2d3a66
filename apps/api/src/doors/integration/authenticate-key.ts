import type { ApiScope } from '@meridian/contracts'
import { findApiKey, noteKeyUse, type UsedApiKey } from '../../api-keys/find-api-key.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import type { Services } from '../../services.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a key must be allowed for this route. */
    scope?: ApiScope
    /** Whether what the route reads is read only for a key in use, so that the key need not be read before it. */
    guardsKey?: true
  }
  interface FastifyRequest {
    /** The key it was sent with, in the scope of integration routes. */
    apiKey: UsedApiKey | null
  }
}

/** A use is noted by whoever reads the key, so the time of its last use is as exact as this. */
const keptMs = 30_000
/** More than there can be in use. */
const mostKept = 200

const bearer = /^Bearer (mk_[A-Za-z0-9]{1,128})$/

/**
 * Reads whose key an Authorization header holds. A revoked key opens nothing from that moment on: it is read for every
 * request, or, where the route's own statement guards it, counts as read before, so that the answer is one statement. What
 * is refused is not kept. A use is noted where the database takes writes.
 */
export function keyAuthenticator({ database, reads, databaseState, log }: Services) {
  const kept = new Map<string, { key: UsedApiKey; at: number }>()

  const note = (id: string) => {
    if (reads.isOnReplica() || !databaseState.takesWrites()) return
    noteKeyUse(database.pool, id).catch((error: unknown) =>
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'a use was not noted'),
    )
  }
  const read = async (text: string): Promise<UsedApiKey> => {
    const found = await findApiKey(database.pool, text)
    if (!found) throw new DomainError('unauthenticated')
    if (!found.isUseNoted) note(found.id)
    return found
  }
  const keep = (text: string, key: UsedApiKey) => {
    kept.delete(text)
    kept.set(text, { key, at: performance.now() })
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
    }
  }

  /** @throws DomainError unauthenticated where the header holds no key that opens something */
  return async (header: string | undefined, isGuarded: boolean): Promise<UsedApiKey> => {
    const text = bearer.exec(header ?? '')?.[1]
    if (!text) throw new DomainError('unauthenticated')
    const last = kept.get(text)
    if (last && isGuarded && performance.now() - last.at <= keptMs) return last.key
    kept.delete(text)
    const key = await read(text)
    keep(text, key)
    return key
  }
}

/** @throws DomainError forbidden where the key lacks the scope */
export function requireScope({ scopes }: UsedApiKey, scope: ApiScope | undefined): void {
  if (!scope) throw new Error('an integration route that names no scope')
  if (!scopes.includes(scope)) throw new DomainError('forbidden')
}
