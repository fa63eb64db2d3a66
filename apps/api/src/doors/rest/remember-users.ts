import type { SignedInUser } from '../../users/find-user.ts'
import { isDatabaseDown } from '../problem.ts'

const keptMs = 5000
const mostKept = 10_000

type Read = { user: SignedInUser; at: number }

/**
 * Reads at every request who a session belongs to. While the database is down, what was read of the session in the
 * last five seconds counts (SPEC §20, Sign-in); nothing older does, and nothing that was refused since.
 */
export function rememberUsers() {
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
