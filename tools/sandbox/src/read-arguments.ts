import { parseArgs } from 'node:util'
import type { SandboxSettings } from './sandbox-settings.ts'

export const usage = `Usage: meridian-sandbox [options]

The payment platform and the WeChat login to test against, with a page that plays the phone. Ends on Ctrl-C.

  --port <number>       port to listen on; 0 takes a free one (4100)
  --host <address>      on which address (127.0.0.1)
  --folder <path>       where keys, orders and the settings for an API are kept (.meridian-sandbox)
  --api <url>           the Meridian API that the phone page uses (http://127.0.0.1:4000)
  --notify-url <url>    where payment notifications go (/api/v1/payment/notify of the API)
  --push-url <url>      where pushes of the mini-program go (/api/v1/wechat/push beside the notifications)
  --console <url>       the console that the phone page links its orders to (http://127.0.0.1:3000)
  --help                this text`

const options = {
  port: { type: 'string' },
  host: { type: 'string' },
  folder: { type: 'string' },
  api: { type: 'string' },
  'notify-url': { type: 'string' },
  'push-url': { type: 'string' },
  console: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

function parse(words: string[]) {
  try {
    return parseArgs({ args: words, options }).values
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
  }
}

/** What was asked for on the command line. Throws what is wrong, with the usage. */
export function readArguments(words: string[]): SandboxSettings | 'help' {
  const { help, port = '4100', host, folder = '.meridian-sandbox', api, ...urls } = parse(words)
  if (help) return 'help'
  return {
    folder,
    port: Number(port),
    ...(host !== undefined && { host }),
    ...(api !== undefined && { apiUrl: api }),
    ...(urls['notify-url'] !== undefined && { notifyUrl: urls['notify-url'] }),
    ...(urls['push-url'] !== undefined && { pushUrl: urls['push-url'] }),
    ...(urls.console !== undefined && { consoleUrl: urls.console }),
  }
}
