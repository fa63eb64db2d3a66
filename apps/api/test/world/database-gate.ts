import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './free-port.ts'

/** A way to the database that can be cut and mended, as a network does it. */
export async function openDatabaseGate(databaseUrl: string) {
  const behind = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    const far = connect(Number(behind.port), behind.hostname)
    keep(near).pipe(keep(far)).pipe(near)
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
  return { databaseUrl: front.href, cut, mend: listen }
}
