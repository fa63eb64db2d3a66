/** A line for whoever runs this: the API did not answer, or failed, where its answer was needed. */
export function logSilence(error: unknown, requestId: string): void {
  const reason = error instanceof Error ? error.message : 'unknown'
  console.error(JSON.stringify({ level: 'error', msg: 'the API did not answer', requestId, reason }))
}
