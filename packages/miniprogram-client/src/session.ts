import type { TokenPair } from '@meridian/contracts'
import type { Call, SendCall } from './call-api.ts'
import type { Phone, PhoneAnswer } from './phone.ts'
import { isProblem, ProblemError } from './problem.ts'

const storedAt = 'meridian.tokens'
/** What is stored once the user logged out: nobody is logged in again behind their back. */
const loggedOut = 'logged out'

export type Session = {
  /** Sends a call as the user, who is logged in, and again, silently where needed. */
  call: (path: string, call?: Call) => Promise<PhoneAnswer>
  logIn: () => Promise<void>
  logOut: () => Promise<void>
}

/** The tokens of the one who holds the phone. However many calls find them worn out, they are renewed once. */
export function openSession(phone: Phone, send: SendCall): Session {
  let renewal: Promise<TokenPair> | null = null

  const tokensNow = (): TokenPair | null => {
    const stored = phone.storage.read(storedAt)
    return stored === null || stored === loggedOut ? null : JSON.parse(stored)
  }
  const logInAgain = async () =>
    tokensOf(
      await send('/auth/login', { method: 'POST', body: { code: await phone.loginCode() }, repeats: 0 }),
    )
  const revoke = ({ refresh_token }: TokenPair) =>
    send('/auth/logout', { method: 'POST', body: { refresh_token } })

  async function refreshOrLogIn(tokens: TokenPair | null): Promise<TokenPair> {
    if (!tokens) return logInAgain()
    try {
      const { refresh_token } = tokens
      return tokensOf(await send('/auth/refresh', { method: 'POST', body: { refresh_token } }))
    } catch (error) {
      if (isProblem(error, 'invalid_refresh_token')) return logInAgain()
      throw error
    }
  }

  /** New tokens instead of these; those of another call that was faster. */
  async function renew(worn: TokenPair | null): Promise<TokenPair> {
    if (phone.storage.read(storedAt) === loggedOut) throw new ProblemError('unauthenticated')
    const tokens = tokensNow()
    if (tokens && tokens.access_token !== worn?.access_token) return tokens
    if (renewal) return renewal
    const mine = refreshOrLogIn(tokens)
      .then(async (renewed) => {
        // What comes after a logout is nobody's: it is not kept, nor left alive.
        if (renewal !== mine) {
          await revoke(renewed).catch(() => null)
          throw new ProblemError('unauthenticated')
        }
        phone.storage.write(storedAt, JSON.stringify(renewed))
        return renewed
      })
      .finally(() => {
        if (renewal === mine) renewal = null
      })
    renewal = mine
    return mine
  }

  return {
    call: async (path, call = {}) => {
      const tokens = tokensNow() ?? (await renew(null))
      try {
        return await send(path, { ...call, token: tokens.access_token })
      } catch (error) {
        if (!isProblem(error, 'unauthenticated', 'token_expired')) throw error
        return send(path, { ...call, token: (await renew(tokens)).access_token })
      }
    },
    logIn: async () => {
      phone.storage.write(storedAt, null)
      await renew(null)
    },
    logOut: async () => {
      const tokens = tokensNow()
      phone.storage.write(storedAt, loggedOut)
      renewal = null
      if (tokens) await revoke(tokens)
    },
  }
}

const tokensOf = ({ body }: PhoneAnswer): TokenPair => Object(body)
