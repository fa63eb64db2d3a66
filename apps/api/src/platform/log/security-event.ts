import type { Logger } from 'pino'

/** What whoever watches over the installation looks for in the log. */
export type SecurityEvent =
  | 'request_refused'
  | 'sign_in'
  | 'sign_in_failed'
  | 'sessions_ended'
  | 'refresh_token_reused'

/** Who, from where, what: never a secret, an openid or an e-mail. */
type Facts = {
  requestId?: string
  address?: string
  user?: string
  operator?: string | null
  procedure?: string
  route?: string
  reason?: string
  code?: string
  status?: number
}

const expected: readonly SecurityEvent[] = ['sign_in', 'sessions_ended']

/** One line for each security event; `event` is what to filter by. */
export function logSecurityEvent(
  log: Pick<Logger, 'info' | 'warn'>,
  event: SecurityEvent,
  { requestId, ...facts }: Facts,
): void {
  const line = { event, ...facts, ...(requestId !== undefined && { reqId: requestId }) }
  if (expected.includes(event)) log.info(line, 'security')
  else log.warn(line, 'security')
}
