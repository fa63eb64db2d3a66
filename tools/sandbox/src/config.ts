import { fileURLToPath } from 'node:url'
import { readEnvironment } from '@meridian/process/read-environment'

export type SandboxConfig = {
  host: string
  port: number
  /** Where keys and the settings for an API are kept. */
  folder: string
  /** The API whose REST contract the phone page speaks. */
  apiUrl: string
  notifyUrl: string
  /** Where pushes of the mini-program go. */
  pushUrl: string
  /** Where the console runs that works with the same API: the phone page links its orders there. */
  consoleUrl: string
  /** The API's database, as its owner: who moves the clock. Without it the clock stands. */
  databaseUrl: string | null
  /** The program that plays sample data at this sandbox, with its first arguments. Without it none are played. */
  demoCommand: readonly [string, ...string[]] | null
  /** Files of the phone page. */
  pageFolder: string
}

/** A command as JSON, `["node","play.js"]`; none where the list is empty. */
function readCommand(text: string): SandboxConfig['demoCommand'] {
  const parsed: unknown = JSON.parse(text)
  const [program, ...args] = Array.isArray(parsed) ? parsed.map(String) : []
  return program === undefined ? null : [program, ...args]
}

/** Settings of the sandbox. Throws one line that names the setting. */
export function readConfig(source: NodeJS.ProcessEnv, entry: URL): SandboxConfig {
  const { environment: env, problems } = readEnvironment(source)
  if (problems[0]) throw new Error(problems[0])
  const text = (name: string, usual: string) => env[name] || usual
  const port = Number(text('SANDBOX_PORT', '4100'))
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error('The port (SANDBOX_PORT) must be a number from 0 to 65535')
  const apiUrl = text('API_URL', `http://127.0.0.1:${text('PORT', '4000')}`).replace(/\/$/, '')
  if (!URL.canParse(apiUrl)) throw new Error('API_URL must be an address')
  const consoleUrl = text('CONSOLE_URL', `http://127.0.0.1:${text('ADMIN_PORT', '3000')}`).replace(/\/$/, '')
  if (!/^https?:/.test(consoleUrl) || !URL.canParse(consoleUrl))
    throw new Error('CONSOLE_URL must be an address')
  const notifyUrl = text('NOTIFY_URL', `${apiUrl}/api/v1/payment/notify`)
  return {
    host: text('HOST', '127.0.0.1'),
    port,
    folder: text('SANDBOX_FOLDER', fileURLToPath(new URL('../../.data/sandbox', entry))),
    apiUrl,
    consoleUrl,
    databaseUrl: env['DATABASE_URL'] || null,
    demoCommand: readCommand(text('DEMO_COMMAND', '[]')),
    notifyUrl,
    pushUrl: text('PUSH_URL', new URL('/api/v1/wechat/push', notifyUrl).href),
    pageFolder: fileURLToPath(new URL('./phone/', entry)),
  }
}
