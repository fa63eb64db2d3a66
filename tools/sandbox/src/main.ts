import type { AddressInfo } from 'node:net'
import { inheritedSockets, listenOn } from '@meridian/process/inherited-sockets'
import { readConfig } from './config.ts'
import { createSandbox } from './create-sandbox.ts'

const sameRequestMs = 5_000

function refuse(message: string): never {
  console.error(message)
  process.exit(1)
}

function configOrRefuse() {
  try {
    return readConfig(process.env, new URL(import.meta.url))
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

const config = configOrRefuse()
const sandbox = createSandbox(config)

sandbox.server.once('error', (error) => {
  const taken = 'code' in error && error.code === 'EADDRINUSE'
  refuse(
    taken
      ? `Port ${config.port} (SANDBOX_PORT) is in use on ${config.host}.`
      : `The sandbox cannot listen: ${error.message}`,
  )
})

const isAddress = (address: ReturnType<typeof sandbox.server.address>): address is AddressInfo =>
  typeof address === 'object' && address !== null

sandbox.server.listen(listenOn(inheritedSockets(process.env).http, config), () => {
  const address = sandbox.server.address()
  const port = isAddress(address) ? address.port : config.port
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  const baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const file = sandbox.announce(baseUrl)
  console.log(`Sandbox: ${baseUrl} (phone page, payment platform, login)`)
  console.log(`An API that uses it runs with the settings of ${file}`)
})

let askedAt = 0
function stop(): void {
  const again = askedAt !== 0
  if (again && Date.now() - askedAt > sameRequestMs) process.exit(130)
  if (again) return
  askedAt = Date.now()
  sandbox.stop()
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
