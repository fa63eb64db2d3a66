import type { AppRouter } from '@meridian/api/router'
import { createTRPCClient, httpLink, type TRPCClient } from '@trpc/client'
import { headers } from 'next/headers'
import { getLocale } from 'next-intl/server'
import { cache } from 'react'
import superjson from 'superjson'
import { config } from '../config.ts'
import { operatorToken } from '../session/session-cookie.ts'
import { apiHeaders } from './api-headers.ts'
import { requestIdOf } from './request-id.ts'

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
