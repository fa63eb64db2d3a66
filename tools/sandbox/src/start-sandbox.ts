import { resolve } from 'node:path'
import { readConfig } from './config.ts'
import { listen } from './listen.ts'
import type { RunningSandbox, SandboxSettings } from './sandbox-settings.ts'

/** The packed package: this module lies in one of its forms, the phone page beside them. */
const packed = new URL('..', import.meta.url)

/**
 * Starts the payment platform, the WeChat login and the page that plays the phone, in this process, and answers where
 * they are. No database is needed; the clock stands, since API and platform must agree on what is now. No variable of the
 * environment is read.
 * @throws Error of one line, where a setting is wrong or the port is taken
 */
export async function startSandbox(settings: SandboxSettings): Promise<RunningSandbox> {
  const { port = 0, host, folder, apiUrl, notifyUrl, pushUrl, consoleUrl } = settings
  const environment = {
    SANDBOX_PORT: String(port),
    SANDBOX_FOLDER: resolve(folder),
    HOST: host,
    API_URL: apiUrl,
    NOTIFY_URL: notifyUrl,
    PUSH_URL: pushUrl,
    CONSOLE_URL: consoleUrl,
  }
  return listen(readConfig(environment, packed))
}
