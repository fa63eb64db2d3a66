import { Proof, SignInRequest } from '@meridian/contracts'
import { cookies } from 'next/headers'
import type { NextAuthOptions, User } from 'next-auth'
import CredentialsProvider from 'next-auth/providers/credentials'
import { apiForThisOperator, apiWithToken } from '../api-client/api-calls.ts'
import { problemOf } from '../api-client/problem.ts'
import { config } from '../config.ts'
import { cookieName, isSecure } from '../cookies.ts'
import { writeLog } from '../log.ts'
import { paths } from '../paths.ts'
import { COMPANY, companyProvider, listedCompany } from './company-provider.ts'
import { decodeCookie, SESSION_SECONDS, SessionClaims, sessionCookieName } from './read-cookies.ts'
import { identityFailureOf, pathWithin, signInFailureOf, withFailure } from './sign-in.ts'
import { dropTicket, keepTicket, readTicket } from './sign-in-ticket.ts'

/** With the session that this browser had until now, which the API ends when it opens the new one. */
async function openSession(credentials: unknown) {
  const request = SignInRequest.safeParse(credentials)
  if (!request.success) throw new Error('invalid_credentials')
  try {
    const session = await (await apiForThisOperator()).operator.signIn.mutate(request.data)
    return { id: session.operator.id, operatorToken: session.token }
  } catch (error) {
    // next-auth hands this message, and nothing else, to the sign-in form.
    throw new Error(signInFailureOf(problemOf(error)))
  }
}

/** The code that a sign-in by the company's identity waits for. */
async function finishSignIn(credentials: unknown) {
  const request = Proof.safeParse(credentials)
  if (!request.success) throw new Error('invalid_code')
  const ticket = await readTicket()
  if (ticket === null) throw new Error('identity_refused')
  try {
    const session = await (await apiForThisOperator()).operator.finishSignIn.mutate({
      ...request.data,
      ticket,
    })
    await dropTicket()
    return { id: session.operator.id, operatorToken: session.token }
  } catch (error) {
    const problem = problemOf(error)
    throw new Error(problem?.code === 'invalid_code' ? 'invalid_code' : identityFailureOf(problem))
  }
}

/** Whoever comes from the identity provider without a session goes back to the sign-in page, which says what is next and leads on. */
async function mayEnter({ operatorToken, ticket, failure }: User): Promise<true | string> {
  if (operatorToken) return true
  if (ticket) await keepTicket(ticket)
  const { consoleUrl } = config()
  const wanted = (await cookies()).get(callbackCookieName(consoleUrl))?.value
  const back = paths.signIn(pathWithin(consoleUrl, wanted, paths.home()))
  return ticket ? back : withFailure(back, failure ?? 'identity_refused')
}

const callbackCookieName = (consoleUrl: string) => cookieName('next-auth.callback-url', consoleUrl)

async function revokeSession(claims: unknown): Promise<void> {
  const session = SessionClaims.safeParse(claims)
  if (session.success) await (await apiWithToken(session.data.operatorToken)).operator.signOut.mutate()
}

/**
 * How next-auth keeps the operator's session: in one encrypted cookie that no script of the page can read. Only what
 * leads to the identity provider and back, `atCompany`, needs to know where it is.
 */
export async function authOptions({ atCompany }: { atCompany: boolean }): Promise<NextAuthOptions> {
  const { authSecrets, consoleUrl } = config()
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(consoleUrl) }
  return {
    secret: authSecrets[0],
    session: { strategy: 'jwt', maxAge: SESSION_SECONDS },
    jwt: { maxAge: SESSION_SECONDS, decode: async ({ token }) => (token ? decodeCookie(token) : null) },
    pages: { signIn: paths.signIn(), signOut: paths.signIn(), error: paths.signIn() },
    useSecureCookies: isSecure(consoleUrl),
    cookies: {
      sessionToken: { name: sessionCookieName(consoleUrl), options },
      callbackUrl: { name: callbackCookieName(consoleUrl), options },
    },
    providers: [
      CredentialsProvider({
        credentials: { email: { type: 'email' }, password: { type: 'password' }, code: { type: 'text' } },
        authorize: openSession,
      }),
      CredentialsProvider({
        id: `${COMPANY}-code`,
        credentials: { code: { type: 'text' } },
        authorize: finishSignIn,
      }),
      atCompany ? await companyProvider() : listedCompany,
    ],
    callbacks: {
      signIn: ({ user }) => mayEnter(user),
      jwt: ({ token, user }) => (user?.operatorToken ? { operatorToken: user.operatorToken } : token),
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: { signOut: ({ token }) => revokeSession(token) },
    logger: { error: (code) => writeLog('error', 'next-auth', { code }) },
  }
}
