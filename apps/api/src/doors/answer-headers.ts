import type { IncomingMessage, ServerResponse } from 'node:http'

/** What a browser is told with every answer of ours: https only for a year, and data loads nothing and is framed by nobody (ASVS 3.4.1, 3.4.6). */
export const answerHeaders = {
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Content-Security-Policy': `default-src 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
} as const

/** For the server's `request` event, so that what no route answers has them too; a page replaces the policy by its own. */
export function giveHeaders(_request: IncomingMessage, response: ServerResponse): void {
  for (const [name, value] of Object.entries(answerHeaders)) response.setHeader(name, value)
}
