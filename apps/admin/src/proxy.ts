import { randomBytes } from 'node:crypto'
import { type NextRequest, NextResponse } from 'next/server'
import { REQUEST_ID_HEADER, requestIdOf } from './api-client/incoming-request.ts'
import { PATH_HEADER } from './session/sign-in.ts'

/** Scripts run only with this answer's nonce; React writes style attributes, and the palette is a style element. */
const policy = (nonce: string) =>
  [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ')

/** A convenience for every page, never the boundary: the API decides who may see what. */
export function proxy(request: NextRequest): NextResponse {
  const csp = policy(randomBytes(16).toString('base64'))
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', csp)
  headers.set(PATH_HEADER, request.nextUrl.pathname + request.nextUrl.search)
  headers.set(REQUEST_ID_HEADER, requestIdOf(request.headers))
  const response = NextResponse.next({ request: { headers } })
  response.headers.set('Content-Security-Policy', csp)
  return response
}

export const config = { matcher: ['/((?!api/|console/|_next/static/|_next/image|favicon.ico|icon.svg).*)'] }
