import { createServer } from 'node:http'
import { createPlatform } from './create-platform.ts'
import type { Platform, PlatformOptions } from './platform-types.ts'

/** Starts a platform that really signs, encrypts and verifies, on a free port of 127.0.0.1 unless told otherwise. */
export async function startPlatform(
  options: PlatformOptions & { port?: number; host?: string } = {},
): Promise<Platform> {
  const { port = 0, host = '127.0.0.1' } = options
  const core = createPlatform(options)
  const server = createServer(core.listener)
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(port, host, listening)
  })
  const address = server.address()
  const url = `http://${host}:${typeof address === 'object' && address !== null ? address.port : port}`
  return {
    ...core,
    url,
    settings: (overrides) => core.settings(url, overrides),
    stop: async () => {
      core.stopSchedule()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}
