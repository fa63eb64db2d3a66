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
  const keep = ({ body }: PhoneAnswer): TokenPair => {
    phone.storage.write(storedAt, JSON.stringify(body))
    return tokensOf(body)
  }
  const logInAgain = async () =>
    keep(await send('/auth/login', { method: 'POST', body: { code: await phone.loginCode() }, repeats: 0 }))

  async function refreshOrLogIn(tokens: TokenPair | null): Promise<TokenPair> {
    if (!tokens) return logInAgain()
    try {
      return keep(
        await send('/auth/refresh', { method: 'POST', body: { refresh_token: tokens.refresh_token } }),
      )
    } catch (error) {
      if (isProblem(error, 'invalid_refresh_token')) return logInAgain()
      throw error
    }
  }

  /** New tokens instead of these; those of another call that was faster. */
  function renew(worn: TokenPair | null): Promise<TokenPair> {
    const tokens = tokensNow()
    if (tokens && tokens.access_token !== worn?.access_token) return Promise.resolve(tokens)
    renewal ??= refreshOrLogIn(tokens).finally(() => {
      renewal = null
    })
    return renewal
  }

  return {
    call: async (path, call = {}) => {
      if (phone.storage.read(storedAt) === loggedOut) throw new ProblemError('unauthenticated')
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
      if (tokens)
        await send('/auth/logout', { method: 'POST', body: { refresh_token: tokens.refresh_token } })
    },
  }
}

const tokensOf = (body: unknown): TokenPair => Object(body)
