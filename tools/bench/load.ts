import { connect, type Socket } from 'node:net'
import { scheduler } from 'node:timers/promises'

/** A whole HTTP request as bytes: the generator must cost next to nothing, since it shares the cores. */
export type Shot = Buffer

export type Request = { method: string; path: string; headers?: Record<string, string>; body?: Buffer }

/** One request in bytes. */
export function shot({ method, path, headers = {}, body = Buffer.alloc(0) }: Request): Shot {
  const lines = Object.entries({ host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`)
  const head = [`${method} ${path} HTTP/1.1`, ...lines, `content-length: ${body.length}`].join('\r\n')
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`), body])
}

export type Answer = { status: number; body: Buffer }

/** One kept-alive connection with one request in flight at a time. */
export class Line {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (bytes) => this.#take(bytes))
    socket.on('error', (error) => this.#waiting?.reject(error))
    socket.on('close', () => this.#waiting?.reject(new Error('the connection was closed')))
  }

  static open(port: number): Promise<Line> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' })
      socket.once('error', reject)
      socket.once('connect', () => resolve(new Line(socket)))
    })
  }

  fire(bytes: Shot): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#socket.write(bytes)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes])
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = this.#received.toString('latin1', 0, end)
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    if (this.#received.length < end + 4 + length) return
    const body = this.#received.subarray(end + 4, end + 4 + length)
    this.#received = Buffer.alloc(0)
    this.#waiting?.resolve({ status: Number(head.slice(9, 12)), body })
  }
}

/** Opens lines to one or more ports in equal shares, and closes them after the work. */
export async function withLines<T>(
  ports: readonly number[],
  count: number,
  work: (lines: readonly Line[]) => Promise<T>,
): Promise<T> {
  const places = Array.from({ length: count }, (_, at) => ports[at % ports.length] ?? 0)
  const lines = await Promise.all(places.map((port) => Line.open(port)))
  try {
    return await work(lines)
  } finally {
    for (const line of lines) line.close()
  }
}

/** An answer that is not the expected one would make every figure worthless. */
export function expectStatus({ status, body }: Answer, expected: number): void {
  if (status !== expected) throw new Error(`answered ${status}: ${body.toString().slice(0, 300)}`)
}

/** Fires all shots as fast as the lines carry them, each line waiting for its answer. */
export async function fireAll(
  lines: readonly Line[],
  shots: readonly Shot[],
  expected = 204,
): Promise<number> {
  const waiting = shots.values()
  await Promise.all(
    lines.map(async (line) => {
      for (const next of waiting) expectStatus(await line.fire(next), expected)
    }),
  )
  return shots.length
}

/**
 * Fires at a steady rate and tells how long each answer took, in milliseconds, counted from the moment at which the
 * shot was due: a shot that waited for a free line was late too.
 */
export async function fireSteadily(
  lines: readonly Line[],
  shots: readonly Shot[],
  perSecond: number,
): Promise<number[]> {
  const started = performance.now()
  const latencies: number[] = []
  const due = shots.entries()
  await Promise.all(
    lines.map(async (line) => {
      for (const [at, next] of due) {
        const dueAt = started + (at / perSecond) * 1000
        const early = dueAt - performance.now()
        if (early > 0) await scheduler.wait(early)
        expectStatus(await line.fire(next), 204)
        latencies.push(performance.now() - dueAt)
      }
    }),
  )
  return latencies
}
