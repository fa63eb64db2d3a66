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
]

/** Shows enough of an identifier to recognise it, not enough to use it. */
export const masked = (identifier: string): string =>
  identifier.length <= 10 ? '••••' : `${identifier.slice(0, 4)}••••${identifier.slice(-4)}`

/** JSON lines on stdout, or wherever they shall go, without secrets. */
export const openLog = (level: string, destination: DestinationStream = pino.destination(1)): Logger =>
  pino(
    {
      level,
      redact: { paths: secrets, censor: '[redacted]' },
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  )
