import type { AddressInfo, ListenOptions } from 'node:net'
import type { SandboxConfig } from './config.ts'
import { createSandbox } from './create-sandbox.ts'
import type { ApiClock } from './sandbox-clock.ts'
import type { RunningSandbox } from './sandbox-settings.ts'

const isAddress = (address: string | AddressInfo | null): address is AddressInfo =>
  typeof address === 'object' && address !== null

const everywhere = ['0.0.0.0', '::']

function addressOf(host: string, port: number): string {
  const reached = everywhere.includes(host) ? '127.0.0.1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

function refusalOf(error: Error, { host, port }: SandboxConfig): Error {
  const taken = 'code' in error && error.code === 'EADDRINUSE'
  return new Error(
    taken
      ? `Port ${port} (SANDBOX_PORT) is in use on ${host}.`
      : `The sandbox cannot listen: ${error.message}`,
  )
}

/** Opens a sandbox and listens. Throws one line where it cannot. */
export async function listen(
  config: SandboxConfig,
  { apiClock = null, on = config }: { apiClock?: ApiClock | null; on?: ListenOptions } = {},
): Promise<RunningSandbox> {
  const sandbox = createSandbox(config, apiClock)
  await new Promise<void>((listening, failed) => {
    sandbox.server.once('error', (error) => {
      sandbox.stop()
      failed(refusalOf(error, config))
    })
    sandbox.server.listen(on, listening)
  })
  const address = sandbox.server.address()
  const url = addressOf(config.host, isAddress(address) ? address.port : config.port)
  return { url, settingsFile: sandbox.announce(url), stop: sandbox.stop }
}
