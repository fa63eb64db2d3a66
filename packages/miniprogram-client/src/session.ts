import { isTokens, type Tokens } from './answers.ts'
import type { Call, SendCall } from './call-api.ts'
import { type Phone, type PhoneAnswer, readStored, readText } from './phone.ts'
import { answered, isProblem, ProblemError } from './problem.ts'

const storedAt = 'meridian.tokens'
/** What is stored once the user logged out: nobody is logged in again behind their back. */
const loggedOut = 'logged out'

export type Session = {
  /** Sends a call as the user, who is logged in, and again, silently where needed. */
  call: (path: string, call?: Call) => Promise<PhoneAnswer>
  logIn: () => Promise<void>
  logOut: () => Promise<void>
}

const revoke = (send: SendCall, { refresh_token }: Tokens) =>
  send('/auth/logout', { method: 'POST', body: { refresh_token } })

/** New tokens for these, or for nobody's. */
async function refreshOrLogIn(phone: Phone, send: SendCall, tokens: Tokens | null): Promise<Tokens> {
  const logIn = async () => {
    const body = { code: await phone.loginCode() }
    return answered(await send('/auth/login', { method: 'POST', body, repeats: 0 }), isTokens)
  }
  if (!tokens) return logIn()
  try {
    const { refresh_token } = tokens
    return answered(await send('/auth/refresh', { method: 'POST', body: { refresh_token } }), isTokens)
  } catch (error) {
    if (isProblem(error, 'invalid_refresh_token')) return logIn()
    throw error
  }
}

/** The tokens of the one who holds the phone. However many calls find them worn out, they are renewed once. */
function openTokens(phone: Phone, send: SendCall) {
  let renewal: Promise<Tokens> | null = null
  const now = (): Tokens | null => readStored(phone, storedAt, isTokens)

  function startRenewal(tokens: Tokens | null): Promise<Tokens> {
    const mine = refreshOrLogIn(phone, send, tokens)
      .then(async (renewed) => {
        // What comes after a logout is nobody's: it is not kept, nor left alive.
        if (renewal !== mine) {
          await revoke(send, renewed).catch(() => null)
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
    now,
    /** New tokens instead of these; those of another call that was faster. */
    renew: async (worn: Tokens | null): Promise<Tokens> => {
      if (readText(phone, storedAt) === loggedOut) throw new ProblemError('unauthenticated')
      const tokens = now()
      if (tokens && tokens.access_token !== worn?.access_token) return tokens
      return renewal ?? startRenewal(tokens)
    },
    forget: () => phone.storage.write(storedAt, null),
    end: () => {
      phone.storage.write(storedAt, loggedOut)
      renewal = null
    },
  }
}

/** Calls by the one who holds the phone. */
export function openSession(phone: Phone, send: SendCall): Session {
  const kept = openTokens(phone, send)
  return {
    call: async (path, call = {}) => {
      const tokens = kept.now() || (await kept.renew(null))
      try {
        return await send(path, { ...call, token: tokens.access_token })
      } catch (error) {
        if (!isProblem(error, 'unauthenticated', 'token_expired')) throw error
        return send(path, { ...call, token: (await kept.renew(tokens)).access_token })
      }
    },
    logIn: async () => {
      kept.forget()
      await kept.renew(null)
    },
    logOut: async () => {
      const tokens = kept.now()
      kept.end()
      if (tokens) await revoke(send, tokens)
    },
  }
}
