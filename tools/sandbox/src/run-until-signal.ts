import type { RunningSandbox } from './sandbox-settings.ts'

const sameRequestMs = 5_000

/** Runs a program's sandbox: says where it is, ends it on SIGINT or SIGTERM; a second request after 5 s ends at once. */
export async function runUntilSignal(starting: Promise<RunningSandbox>): Promise<void> {
  const { url, settingsFile, stop } = await starting
  console.log(`Sandbox: ${url} (phone page, payment platform, login)`)
  console.log(`An API that uses it runs with the settings of ${settingsFile}`)
  let askedAt = 0
  const end = () => {
    const again = askedAt !== 0
    if (again && Date.now() - askedAt > sameRequestMs) process.exit(130)
    if (again) return
    askedAt = Date.now()
    stop()
  }
  process.on('SIGINT', end)
  process.on('SIGTERM', end)
}

/** One line says why, and nothing else. */
export function refuse(error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
