import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A socket that listens on a port of 127.0.0.1 which the kernel chose. It is there before the program that will
 * serve it, so the address can be told to everybody beforehand and nobody else can get it.
 */
export type OpenSocket = {
  port: number
  url: string
  /** Number of the open file, for the program that inherits it. */
  descriptor: number
  /** Lets go of it here; a program that has inherited it keeps it. */
  close: () => void
}

/** Opens a socket to be handed to one program by `spawnProgram`, which closes it here. */
export async function openSocket(): Promise<OpenSocket> {
  // Nobody is served here: who comes before the program is sent away, as when nothing listened.
  const server = createServer((connection) => connection.destroy())
  server.listen({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  server.unref()
  const address = server.address()
  const descriptor = descriptorOf(server)
  if (address === null || typeof address === 'string' || descriptor === null) {
    server.close()
    throw new Error('A listening socket cannot be handed to a program here')
  }
  const { port } = address
  return { port, url: `http://127.0.0.1:${port}`, descriptor, close: () => void server.close() }
}

/** Node has no public name for it: a child process takes open files by number, and a server does not tell its own. */
function descriptorOf(server: object): number | null {
  const handle: unknown = Reflect.get(server, '_handle')
  const descriptor: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : null
  return typeof descriptor === 'number' && descriptor >= 0 ? descriptor : null
}
