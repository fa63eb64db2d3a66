import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { LimitName } from '../../config.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import type { Services } from '../../services.ts'
import { getSignedInUser, type SignedInUser } from '../../users/own-account.ts'
import { readAccessToken } from '../../users/user-tokens.ts'
import { isDatabaseDown } from '../problem.ts'

const keptMs = 5000
const mostKept = 10_000

type Read = { user: SignedInUser; at: number }

/**
 * Reads at every request who a session belongs to. While the database is down, what was read of the session in the
 * last five seconds counts (SPEC §20, Sign-in); nothing older does, and nothing that was refused since.
 */
function rememberUsers() {
  const kept = new Map<string, Read>()

  const keep = (sessionId: string, read: Read) => {
    kept.delete(sessionId)
    kept.set(sessionId, read)
    for (const [oldest, { at }] of kept) {
      if (kept.size <= mostKept && performance.now() - at <= keptMs) break
      kept.delete(oldest)
    }
  }

  return async (sessionId: string, readUser: () => Promise<SignedInUser>): Promise<SignedInUser> => {
    const at = performance.now()
    try {
      const user = await readUser()
      keep(sessionId, { user, at })
      return user
    } catch (error) {
      const last = kept.get(sessionId)
      if (last && isDatabaseDown(error) && performance.now() - last.at <= keptMs) return last.user
      kept.delete(sessionId)
      throw error
    }
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Which limit a route counts against. */
    limit?: LimitName
    /** Whether a route is part of paying: it takes the connections that are kept for that. */
    pays?: true
  }
  interface FastifyRequest {
    /** Who sent it, in the scope of signed-in routes. */
    user: SignedInUser | null
  }
}

/** What routes work with: the connections of phones, and those that are kept for paying. */
export type RestServices = { phones: Services; paying: Services }

export type RestApp = ReturnType<typeof withZod>
/** Routes whose schemas type them. */
export const withZod = (app: FastifyInstance) => app.withTypeProvider<ZodTypeProvider>()

/** The signed-in user of a request; the scope it is called in has put them there. */
export function userOf(request: { user: SignedInUser | null }): SignedInUser {
  if (!request.user) throw new DomainError('unauthenticated')
  return request.user
}

const bearer = /^Bearer ([A-Za-z0-9._-]{1,4096})$/

/** Reads who an Authorization header names; throws unauthenticated, token_expired or user_disabled. */
export function authenticator() {
  const remembered = rememberUsers()
  return async (
    { database, config, runtime }: Services,
    header: string | undefined,
  ): Promise<SignedInUser> => {
    const token = bearer.exec(header ?? '')?.[1]
    if (!token) throw new DomainError('unauthenticated')
    const claims = await readAccessToken(config.JWT_SECRET, { token, now: runtime.now() })
    return remembered(claims.familyId, () => getSignedInUser(database.pool, claims))
  }
}
