import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

type Profiling = {
  /** The beginning of the file's name. */
  name: string
  /** Where the file goes; the system's folder for temporary files where nothing is said. */
  folder?: string | undefined
  log: (level: 'info' | 'warn', details: { file?: string; reason?: string }, text: string) => void
  /** How long a profile is recorded unless it is ended before; 30,000 by default. */
  recordMs?: number
}

/**
 * On SIGUSR2 records what this process computes for half a minute, or until the signal comes again, and writes a
 * `.cpuprofile` that Chrome's developer tools, VS Code and speedscope open. The file is readable by its owner alone and
 * never replaces another. Nothing is loaded, and nothing slower, before the first signal. Only root and the process's own
 * user can send one.
 */
export function profileOnSignal({ name, folder = tmpdir(), log, recordMs = 30_000 }: Profiling): void {
  let end: (() => void) | null = null
  const record = async () => {
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const profile = await recordWhile(() => {
      log('info', {}, `recording a CPU profile for ${recordMs / 1000} s, or until the next SIGUSR2`)
      // What only records does not keep the program from ending.
      return Promise.race([ended, delay(recordMs, undefined, { ref: false })])
    })
    const moment = new Date().toISOString().replace(/[:.]/g, '-')
    const file = join(folder, `${name}-${process.pid}-${moment}.cpuprofile`)
    await writeFile(file, JSON.stringify(profile), { mode: 0o600, flag: 'wx' })
    log('info', { file }, 'CPU profile written')
  }
  process.on('SIGUSR2', () => {
    if (end) return end()
    record()
      .catch((error: unknown) =>
        log('warn', { reason: error instanceof Error ? error.message : String(error) }, 'no CPU profile'),
      )
      .finally(() => {
        end = null
      })
  })
}

/** Starts to record, then calls `whileRecording`, and stops once its promise is settled. Answers the profile. */
async function recordWhile(whileRecording: () => Promise<void>): Promise<object> {
  const { Session } = await import('node:inspector/promises')
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.start')
    await whileRecording()
    return (await session.post('Profiler.stop')).profile
  } finally {
    session.disconnect()
  }
}
