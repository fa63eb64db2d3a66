import { createServer } from 'node:net'

/** Whether nobody listens on this port of 127.0.0.1. */
export async function isFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== null
}

/** A port of 127.0.0.1 on which nobody listens at the moment. */
export async function findFreePort(): Promise<number> {
  const port = await listenOnce(0)
  if (port === null) throw new Error('This machine has no free port')
  return port
}

function listenOnce(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address()
      const got = typeof address === 'object' && address !== null ? address.port : null
      server.close(() => resolve(got))
    })
  })
}
