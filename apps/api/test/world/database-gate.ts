import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { freePort } from './free-port.ts'

/** A way to the database that can be cut and mended, as a network does it, or frozen, thawed and slowed, as a machine does. */
export async function openDatabaseGate(databaseUrl: string) {
  const behind = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let frozen = false
  let lateMs = 0
  const keep = (socket: Socket) => {
    sockets.add(socket)
    if (frozen) socket.pause()
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }
  const whatIsLate = () =>
    new Transform({
      transform: (chunk, _encoding, pass) =>
        lateMs > 0 ? void setTimeout(() => pass(null, chunk), lateMs) : pass(null, chunk),
    })
  const server = createServer((near) => {
    const far = connect(Number(behind.port), behind.hostname)
    // While frozen a connection is taken, as a machine does that still has a network, and nothing comes of it.
    keep(near).pipe(keep(far)).pipe(whatIsLate()).pipe(near)
    if (frozen) for (const socket of [near, far]) socket.pause()
  })
  const port = await freePort()
  const listen = async () => void (await once(server.listen(port, '127.0.0.1'), 'listening'))
  await listen()
  const front = new URL(databaseUrl)
  front.hostname = '127.0.0.1'
  front.port = String(port)
  const cut = async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  return {
    databaseUrl: front.href,
    cut,
    mend: listen,
    /** Connections stay and new ones are taken, but nothing passes any more. */
    freeze: () => {
      frozen = true
      for (const socket of sockets) socket.pause()
    },
    /** From now on each answer of the database comes so much later. */
    slow: (ms: number) => {
      lateMs = ms
    },
    thaw: () => {
      frozen = false
      for (const socket of sockets) socket.resume()
    },
  }
}
