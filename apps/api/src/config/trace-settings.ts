import { readTraceSettings } from '@meridian/tracing'

/** Where traces go, if anywhere; a worker is another service than what answers requests. */
export const readTraceConfig = (environment: Readonly<Record<string, string>>) =>
  readTraceSettings(
    environment,
    environment['MERIDIAN_ROLE'] === 'worker' ? 'meridian-worker' : 'meridian-api',
  )
