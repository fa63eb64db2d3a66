import type pg from 'pg'

/**
 * Answers after which a connection leads nowhere useful, by their SQLSTATE: a server that only reads (25006, a leader
 * that was demoted), that ends or starts (57P01, 57P02, 57P03), and class 08, whatever broke the connection itself.
 */
const isOver = (code: string | undefined) =>
  code !== undefined && (/^08/.test(code) || ['25006', '57P01', '57P02', '57P03'].includes(code))

/** Whether the server has said that it waits for a statement. */
const isReady = (client: pg.PoolClient) => Reflect.get(client, 'readyForQuery') === true

/** Who wants to hear of a server by what becomes of the connections to it. */
export type Heard = {
  /** A connection was given back in order: the server answers. */
  onAnswer?: () => void
  /** A statement had no answer within `statementTimeoutMs`: the server may be hanging. */
  onSilence?: () => void
}

/**
 * Connections that are given back after such an answer, or while a statement that ran out of time is still under way,
 * are closed: whoever took one gives it back as a good one (the job library always does), and the next one would get it.
 * `onSilence` is called for each whose statement had no answer in time, `onAnswer` for each that came back in order.
 */
export function discardBroken(pool: pg.Pool, { onAnswer, onSilence }: Heard): void {
  const broken = new WeakSet<pg.PoolClient>()
  // An error is told to the caller before the server says that it is ready again.
  const refused = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => {
    client.connection.on('errorMessage', ({ code }: { code?: string }) => {
      refused.add(client)
      if (isOver(code)) broken.add(client)
    })
    client.connection.on('readyForQuery', () => refused.delete(client))
  })
  pool.on('release', (error, client) => {
    const isSilent = !(isReady(client) || refused.has(client))
    if (isSilent) onSilence?.()
    else if (!error) onAnswer?.()
    // The pool closes whatever is ending as it is given back.
    if (isSilent || broken.has(client)) void client.end().catch(() => undefined)
  })
}
