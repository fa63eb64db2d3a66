/** Those of the API's log, as it writes them: one rule reads both. */
const levels = { info: 30, warn: 40, error: 50 } as const
type Level = keyof typeof levels

type LogDetails = Readonly<Record<string, string | number | null>>

/** One line of the log, on stdout like the API's: JSON with level, UTC time, message and whatever else is known. */
export function writeLog(level: Level, msg: string, details: LogDetails = {}): void {
  const line = { level: levels[level], time: new Date().toISOString(), ...details, msg }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** A line for whoever runs this: the API did not answer, or failed, where its answer was needed. */
export function logSilence(error: unknown, requestId: string): void {
  const reason = error instanceof Error ? error.message : 'unknown'
  writeLog('error', 'the API did not answer', { reqId: requestId, reason })
}
