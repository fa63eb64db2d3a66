import type { AppRouter } from '@meridian/api/router'
import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client'
import { headers } from 'next/headers'
import { getLocale } from 'next-intl/server'
import { cache } from 'react'
import superjson from 'superjson'
import { config } from '../config.ts'
import type { Language } from '../messages/languages.ts'
import { callerOf, signConsoleToken } from '../session/console-token.ts'
import { operatorToken } from '../session/read-cookies.ts'
import { REQUEST_ID_HEADER, requestIdOf } from './incoming-request.ts'

type Opening = {
  /** The browser's request, or what `headers()` gives of it. */
  headers: { get(name: string): string | null }
  operatorToken: string | null
  language: Language
  requestId: string
}

/** The headers with which the console knocks at the API's private door. */
export function apiHeaders({ headers, operatorToken, language, requestId }: Opening): Record<string, string> {
  const traceparent = headers.get('traceparent')
  return {
    'x-console-token': signConsoleToken(callerOf(headers), {
      secret: config().authSecrets[0],
      now: new Date(),
    }),
    'accept-language': language,
    [REQUEST_ID_HEADER]: requestId,
    // Written by this server alone: what a browser sends under this name never comes so far.
    ...(traceparent && { traceparent }),
    ...(operatorToken && { authorization: `Bearer ${operatorToken}` }),
  }
}

/** Longer than the API's own limits, so that its answer wins. */
const TIMEOUT_MS = 15_000

/** Calls the API from this server for the operator with that session token, or for nobody yet (null). */
export async function apiWithToken(token: string | null): Promise<TRPCClient<AppRouter>> {
  const [incoming, language] = await Promise.all([headers(), getLocale()])
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${config().apiUrl}/trpc`,
        transformer: superjson,
        headers: () =>
          apiHeaders({ headers: incoming, operatorToken: token, language, requestId: requestIdOf(incoming) }),
        fetch: (url, init) =>
          fetch(url, { ...init, cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) }),
      }),
    ],
  })
}

/** Calls the API for the operator whose request is being answered; one client per request. */
export const apiForThisOperator = cache(async () => apiWithToken(await operatorToken()))
