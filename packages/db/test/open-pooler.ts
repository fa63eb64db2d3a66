import { once } from 'node:events'
import { type AddressInfo, createServer, Socket } from 'node:net'
import pg from 'pg'

export type PoolerOptions = {
  databaseUrl: string
  /** How many connections to the server it has. */
  size: number
  /** Whether a client keeps its connection until it goes, or for one transaction. */
  mode: 'session' | 'transaction'
  /** Which idle connection it gives next: the one returned last, as PgBouncer does, or the one returned first. */
  next?: 'last' | 'first'
}

type Server = { socket: Socket; client: pg.Client }

/** PostgreSQL's messages after the start-up: a letter, the length with itself, the content. */
function message(letter: string, content: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(letter, 0, 'latin1')
  head.writeInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}

// Authentication is done, a key to cancel with, ready for a query and in no transaction.
const welcome = Buffer.concat([
  message('R', Buffer.alloc(4)),
  message('K', Buffer.alloc(8, 1)),
  message('Z', Buffer.from('I')),
])

/** Whether what the server has said so far ends with its being ready, outside of a transaction. */
function endsIdle(said: Buffer): boolean {
  let at = 0
  let isIdle = false
  while (at + 5 <= said.length) {
    const end = at + 1 + said.readInt32BE(at + 1)
    isIdle = said[at] === 0x5a && said[at + 5] === 0x49 && end === said.length
    at = end
  }
  return isIdle
}

/** A pooler such as PgBouncer, reduced to what tells a session from a transaction: whose bytes go to which server. */
export async function openPooler({ databaseUrl, size, mode, next = 'last' }: PoolerOptions) {
  const servers = await Promise.all(Array.from({ length: size }, () => openServer(databaseUrl)))
  const idle = [...servers]
  const waiting: ((server: Server) => void)[] = []
  const give = (server: Server) => {
    server.socket.removeAllListeners('data')
    const taker = waiting.shift()
    if (taker) taker(server)
    else idle.push(server)
  }
  const take = (): Promise<Server> => {
    const server = next === 'last' ? idle.pop() : idle.shift()
    return server ? Promise.resolve(server) : new Promise((resolve) => waiting.push(resolve))
  }
  const relay = async (near: Socket) => {
    let held: Promise<Server> | null = null
    let said: Buffer = Buffer.alloc(0)
    const release = async () => {
      const server = held
      held = null
      if (server) give(await server)
    }
    const hold = async () => {
      const server = await take()
      server.socket.on('data', (bytes) => {
        said = Buffer.concat([said, bytes])
        if (endsIdle(said)) {
          said = Buffer.alloc(0)
          if (mode === 'transaction') void release()
        }
        near.write(bytes)
      })
      return server
    }
    near.on('error', () => near.destroy()).on('close', () => void release())
    await once(near, 'data')
    near.write(welcome)
    near.on('data', async (bytes) => {
      // 'X': the client says good-bye; the server stays.
      if (bytes[0] === 0x58) return
      held ??= hold()
      ;(await held).socket.write(bytes)
    })
  }
  const listener = createServer((near) => void relay(near))
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const address = new URL(databaseUrl)
  Object.assign(address, { hostname: '127.0.0.1', port: String(portOf(listener.address())) })
  return {
    databaseUrl: address.href,
    async [Symbol.asyncDispose]() {
      listener.close()
      for (const { socket } of servers) socket.destroy()
    },
  }
}

const portOf = (address: AddressInfo | string | null): number =>
  typeof address === 'object' && address ? address.port : 0

/** A connection that node-postgres has opened, from now on bytes alone. */
async function openServer(databaseUrl: string): Promise<Server> {
  const socket = new Socket()
  const client = new pg.Client({ connectionString: databaseUrl, stream: () => socket })
  await client.on('error', () => undefined).connect()
  socket.removeAllListeners('data')
  return { socket, client }
}
