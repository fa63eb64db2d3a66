import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { atPort, keepDirectGate, throughPooler } from '@meridian/db/testing'
import { freePort } from './free-port.ts'

/** A way to the database that can be cut and mended, as a network does it, or frozen, thawed and slowed, as a machine does. */
export async function openDatabaseGate(databaseUrl: string) {
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
  const openDoor = async (behind: URL) => {
    const server = createServer((near) => {
      const far = connect(Number(behind.port), behind.hostname)
      // While frozen a connection is taken, as a machine does that still has a network, and nothing comes of it.
      keep(near).pipe(keep(far)).pipe(whatIsLate()).pipe(near)
      if (frozen) for (const socket of [near, far]) socket.pause()
    })
    const port = await freePort()
    const listen = async () =>
      void (server.listening || (await once(server.listen(port, '127.0.0.1'), 'listening')))
    await listen()
    return { server, port, listen }
  }
  const behind = throughPooler(databaseUrl)
  const front = await openDoor(new URL(behind))
  const frontUrl = atPort(databaseUrl, front.port)
  // What may not go through a pooler goes beside it, and is cut with it.
  const doors = [front, ...(behind === databaseUrl ? [] : [await openDoor(new URL(databaseUrl))])]
  for (const { port } of doors.slice(1)) keepDirectGate(frontUrl, port)
  const cut = async () => {
    const closed = doors.map(({ server }) => once(server.close(), 'close'))
    for (const socket of sockets) socket.destroy()
    await Promise.all(closed)
  }
  return {
    databaseUrl: frontUrl,
    cut,
    mend: async () => void (await Promise.all(doors.map(({ listen }) => listen()))),
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
