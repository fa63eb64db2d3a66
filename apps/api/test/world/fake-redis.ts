import { createHash } from 'node:crypto'
import { createServer, type Socket } from 'node:net'

/** The words of one command, as ioredis writes them: an array of bulk strings (RESP). Null until it is whole. */
function readCommand(bytes: Buffer): { words: string[]; rest: Buffer } | null {
  const lineAt = (start: number) => {
    const end = bytes.indexOf('\r\n', start)
    return end === -1 ? null : { text: bytes.toString('utf8', start + 1, end), next: end + 2 }
  }
  const head = lineAt(0)
  if (!head) return null
  const words: string[] = []
  let at = head.next
  while (words.length < Number(head.text)) {
    const size = lineAt(at)
    if (!size || bytes.length < size.next + Number(size.text) + 2) return null
    words.push(bytes.toString('utf8', size.next, size.next + Number(size.text)))
    at = size.next + Number(size.text) + 2
  }
  return { words, rest: bytes.subarray(at) }
}

/** As much of Redis as shared limits need, told over the real protocol. */
export async function startFakeRedis() {
  const counters = new Map<string, number>()
  const scripts = new Set<string>()
  const sockets = new Set<Socket>()
  const asked: string[] = []
  let stalled = false
  const answer = ([name = '', ...words]: string[]): string => {
    if (name.toUpperCase() === 'INFO') {
      const info = 'redis_version:7.0.0\r\nloading:0\r\n'
      return `$${info.length}\r\n${info}\r\n`
    }
    const [script = ''] = words
    if (name.toUpperCase() === 'EVALSHA' && !scripts.has(script)) return '-NOSCRIPT No matching script\r\n'
    if (name.toUpperCase() === 'DEL') return `:${counters.delete(words[0] ?? '') ? 1 : 0}\r\n`
    if (!name.toUpperCase().startsWith('EVAL')) return '+OK\r\n'
    if (name.toUpperCase() === 'EVAL') scripts.add(createHash('sha1').update(script).digest('hex'))
    const [, , key = '', points = '0'] = words
    const consumed = (counters.get(key) ?? 0) + Number(points)
    counters.set(key, consumed)
    return `*2\r\n:${consumed}\r\n:30000\r\n`
  }
  const server = createServer((socket) => {
    let waiting = Buffer.alloc(0)
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      waiting = Buffer.concat([waiting, chunk])
      for (let command = readCommand(waiting); command; command = readCommand(waiting)) {
        waiting = Buffer.from(command.rest)
        asked.push(command.words[0]?.toUpperCase() ?? '')
        if (!stalled) socket.write(answer(command.words))
      }
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed())
      for (const socket of sockets) socket.destroy()
    })
  return {
    url: `redis://127.0.0.1:${port}`,
    counters,
    connections: () => sockets.size,
    /** How often it was asked to count. */
    countings: () => asked.filter((name) => name.startsWith('EVAL')).length,
    /** Takes whatever is sent and answers nothing, as a machine that hangs. */
    stall: () => {
      stalled = true
    },
    resume: () => {
      stalled = false
    },
    close,
  }
}
