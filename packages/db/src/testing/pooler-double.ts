import { once } from 'node:events'
import { type AddressInfo, createServer, Socket } from 'node:net'
import pg from 'pg'
import { followNames, type KnownNames } from './follow-names.ts'
import { readyState, rollback, rolledBack, welcome } from './wire-messages.ts'

export type PoolerDoubleOptions = {
  databaseUrl: string
  /** How many connections to the server it has. */
  size: number
  /** Whether a client keeps its connection until it goes, or for one transaction. */
  mode: 'session' | 'transaction'
  /** Which idle connection it gives next: the one returned last, as PgBouncer does, or the one returned first. */
  next?: 'last' | 'first'
  /** Whether a client finds what it prepared by name on every connection, as with PgBouncer 1.21 and newer. */
  keepsNames?: boolean
}

type Server = {
  socket: Socket
  /** Takes what it says. */
  hear: (bytes: Buffer) => void
}

const deaf = () => undefined

/** Gives each of its servers to one client at a time, in the order in which they ask. */
function shareServers(servers: readonly Server[], next: 'last' | 'first') {
  const idle = [...servers]
  const waiting: ((server: Server) => void)[] = []
  return {
    give: (server: Server) => {
      server.hear = deaf
      const taker = waiting.shift()
      if (taker) taker(server)
      else idle.push(server)
    },
    take: (): Promise<Server> => {
      const server = next === 'last' ? idle.pop() : idle.shift()
      return server ? Promise.resolve(server) : new Promise((resolve) => waiting.push(resolve))
    },
  }
}

/** Has a server do something of which its client hears nothing, until it is ready after having said `word`. */
async function doUnheard(server: Server, bytes: Buffer, word = ''): Promise<void> {
  const { hear } = server
  let said: Buffer = Buffer.alloc(0)
  await new Promise<void>((done) => {
    server.hear = (more) => {
      said = Buffer.concat([said, more])
      if (said.includes(word) && readyState(said) !== null) done()
    }
    server.socket.write(bytes)
  })
  server.hear = hear
}

type Client = PoolerDoubleOptions & { id: number; servers: ReturnType<typeof shareServers> }

/** Serves one client: what it says goes to the server it has, and what that one answers comes back. */
async function serve(near: Socket, { id, mode, keepsNames, servers }: Client): Promise<void> {
  const names: KnownNames = new Map()
  let held: Promise<Server> | null = null
  let said: Buffer = Buffer.alloc(0)
  const release = (server: Server) => {
    held = null
    servers.give(server)
  }
  const hold = async () => {
    const server = await servers.take()
    server.hear = (bytes) => {
      said = Buffer.concat([said, bytes])
      const state = readyState(said)
      if (state !== null) said = Buffer.alloc(0)
      if (state === 'I' && mode === 'transaction') release(server)
      near.write(bytes)
    }
    return server
  }
  const leave = async () => {
    const server = await held
    if (!server) return
    // The answer to what the client asked last may still be under way: it is not that to this.
    await doUnheard(server, rollback, rolledBack)
    release(server)
  }
  const pass = async (bytes: Buffer) => {
    // 'X': the client says good-bye; the server stays.
    if (bytes[0] === 0x58) return
    held ??= hold()
    const server = await held
    if (!keepsNames) return void server.socket.write(bytes)
    const followed = followNames(bytes, server.socket, { id, names })
    if (followed.before) await doUnheard(server, followed.before)
    server.socket.write(followed.bytes)
  }
  // One after the other: nothing overtakes bytes that wait for a server, or for what it has to prepare.
  let turn = Promise.resolve()
  const inTurn = (step: () => Promise<void>) => {
    turn = turn.then(step)
  }
  near.on('error', () => near.destroy()).on('close', () => inTurn(leave))
  await once(near, 'data')
  near.write(welcome)
  near.on('data', (bytes) => inTurn(() => pass(bytes)))
}

/** A pooler such as PgBouncer, reduced to what tells a session from a transaction: whose bytes go to which server. */
export async function openPoolerDouble(options: PoolerDoubleOptions) {
  const { databaseUrl, size, next = 'last' } = options
  const opened = await Promise.all(Array.from({ length: size }, () => openServer(databaseUrl)))
  const servers = shareServers(opened, next)
  let id = 0
  const clients = new Set<Socket>()
  const listener = createServer((near) => {
    clients.add(near.on('close', () => clients.delete(near)))
    id += 1
    void serve(near, { ...options, id, servers })
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const address = new URL(databaseUrl)
  Object.assign(address, { hostname: '127.0.0.1', port: String(portOf(listener.address())) })
  return {
    databaseUrl: address.href,
    async [Symbol.asyncDispose]() {
      listener.close()
      for (const socket of [...clients, ...opened.map(({ socket }) => socket)]) socket.destroy()
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
  const server: Server = { socket, hear: deaf }
  socket.removeAllListeners('data').on('data', (bytes) => server.hear(bytes))
  return server
}
