import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Where a program dies: at its so-manieth statement from now, before the database sees it or after it has answered. */
export type CrashPoint = { statement: number; moment: 'before' | 'after' }

export type StatementGate = {
  databaseUrl: string
  arm: (point: CrashPoint) => void
  /** The statement at which everything was cut, or null when it has not come to that. */
  fell: () => string | null
  /** The program is started again: connections pass, nothing is armed. */
  mend: () => void
  close: () => Promise<void>
}

type Message = { type: string; bytes: Buffer }

/** Cuts a stream of PostgreSQL's protocol into messages; the first that a client sends has no type. */
function messageReader(startsUntyped: boolean) {
  let rest = Buffer.alloc(0)
  let untyped = startsUntyped
  return (chunk: Buffer): Message[] => {
    rest = Buffer.concat([rest, chunk])
    const messages: Message[] = []
    for (;;) {
      const head = untyped ? 0 : 1
      if (rest.length < head + 4) return messages
      const length = head + rest.readInt32BE(head)
      if (length < head + 4) throw new Error('this is not the protocol of PostgreSQL')
      if (rest.length < length) return messages
      const bytes = rest.subarray(0, length)
      messages.push({ type: untyped ? 'startup' : String.fromCharCode(rest.readUInt8(0)), bytes })
      rest = rest.subarray(length)
      untyped = false
    }
  }
}

const textFrom = (bytes: Buffer, start: number) => bytes.toString('utf8', start, bytes.indexOf(0, start))

/** What a statement is called: its name, or how it begins. */
function nameOf(messages: readonly Message[]): string {
  for (const { type, bytes } of messages) {
    if (type === 'Q') return textFrom(bytes, 5).trim().slice(0, 40)
    if (type === 'P') return textFrom(bytes, 5) || textFrom(bytes, 6).trim().slice(0, 40)
    if (type === 'B') return textFrom(bytes, bytes.indexOf(0, 5) + 1) || 'unnamed'
  }
  return 'unnamed'
}

const partsOfStatement = new Set(['P', 'B', 'D', 'E', 'C', 'H', 'Q', 'S'])
const endsOfStatement = new Set(['Q', 'S'])

/**
 * A way to the database on which a program dies between two statements, or when a statement (a COMMIT, say) is done
 * and its answer lost. From then on it reaches nothing until it is mended.
 */
export async function openStatementGate(databaseUrl: string, program: string): Promise<StatementGate> {
  const behind = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let armed: CrashPoint | null = null
  let passed = 0
  let fallen: string | null = null

  const keep = (socket: Socket) => {
    sockets.add(socket)
    return socket
      .setNoDelay(true)
      .on('error', () => socket.destroy())
      .on('close', () => sockets.delete(socket))
  }
  const fall = (statement: string) => {
    fallen = statement
    armed = null
    for (const socket of sockets) socket.destroy()
  }
  /** Whether this statement is the one, and counts it. */
  const isTheOne = () => armed !== null && passed++ === armed.statement

  const server = createServer((near) => {
    if (fallen !== null) {
      near.on('error', () => near.destroy()).destroy()
      return
    }
    const far = connect(Number(behind.port), behind.hostname)
    keep(near)
    keep(far)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
    const asked = messageReader(true)
    const answered = messageReader(false)
    const statement: Message[] = []
    let lost: string | null = null
    const pass = () => {
      far.write(Buffer.concat(statement.splice(0).map(({ bytes }) => bytes)))
    }
    near.on('data', (chunk: Buffer) => {
      for (const message of asked(chunk)) {
        statement.push(message)
        if (partsOfStatement.has(message.type) && !endsOfStatement.has(message.type)) continue
        if (endsOfStatement.has(message.type) && isTheOne()) {
          const name = nameOf(statement)
          if (armed?.moment === 'before') return fall(`before ${name}`)
          lost = `after ${name}`
        }
        pass()
      }
    })
    far.on('data', (chunk: Buffer) => {
      // Read from the first byte on, so that what is read is always whole messages.
      const isReady = answered(chunk).some(({ type }) => type === 'Z')
      if (lost === null) near.write(chunk)
      else if (isReady) fall(lost)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const front = new URL(databaseUrl)
  front.hostname = '127.0.0.1'
  front.port = String(typeof address === 'object' && address ? address.port : 0)
  front.searchParams.set('application_name', program)
  return {
    databaseUrl: front.href,
    arm: (point) => {
      armed = point
      passed = 0
    },
    fell: () => fallen,
    mend: () => {
      armed = null
      fallen = null
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
