import { type DestinationStream, type Logger, pino } from 'pino'

const secrets = [
  'authorization',
  '*.authorization',
  'headers.authorization',
  'headers.cookie',
  'req.headers.authorization',
  'req.headers.cookie',
  'req.headers["x-console-token"]',
  'access_token',
  '*.access_token',
  'refresh_token',
  '*.refresh_token',
  'session_key',
  '*.session_key',
  'password',
  '*.password',
  'clientSecret',
  '*.clientSecret',
  'id_token',
  '*.id_token',
  'codeVerifier',
  '*.codeVerifier',
]

/** Shows enough of an identifier to recognise it, not enough to use it. */
export const masked = (identifier: string): string =>
  identifier.length <= 10 ? '••••' : `${identifier.slice(0, 4)}••••${identifier.slice(-4)}`

type LogOptions = {
  /** Where its lines go; stdout where nothing else is said. */
  destination?: DestinationStream
  /** What every line says beside its own, as far as it is known where it is written. */
  mixin?: () => object
}

/** JSON lines without secrets. */
export const openLog = (
  level: string,
  { destination = pino.destination(1), mixin }: LogOptions = {},
): Logger =>
  pino(
    {
      level,
      redact: { paths: secrets, censor: '[redacted]' },
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      ...(mixin && { mixin }),
    },
    destination,
  )

/**
 * Logs the first event at once and those that follow once per interval, as a number: what strangers can cause
 * by the thousand fills no log.
 */
export function logSampled<Told extends unknown[]>(
  everyMs: number,
  log: (times: number, ...told: Told) => void,
): (...told: Told) => void {
  let unlogged = 0
  let quietUntil = 0
  return (...told) => {
    unlogged += 1
    const now = performance.now()
    if (now < quietUntil) return
    quietUntil = now + everyMs
    log(unlogged, ...told)
    unlogged = 0
  }
}

/** What whoever watches over the installation looks for in the log. */
type SecurityEvent =
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
