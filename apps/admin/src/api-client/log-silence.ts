import { writeLog } from '../log.ts'

/** A line for whoever runs this: the API did not answer, or failed, where its answer was needed. */
export function logSilence(error: unknown, requestId: string): void {
  const reason = error instanceof Error ? error.message : 'unknown'
  writeLog('error', 'the API did not answer', { reqId: requestId, reason })
}
