import { tracingChannel } from 'node:diagnostics_channel'
import type pg from 'pg'

/** A statement as it is sent: never what it is given. */
export type SentStatement = { name: string | null; text: string }

// The tracing channels of Node: who asks need not know who traces.
const sent = tracingChannel<unknown, SentStatement>('meridian:statement')

const unsentNames = new WeakMap<object, string>()

/** Remembers what a statement is called whose name is not sent, because its connection prepares none. */
export function rememberName<Asked extends object>(asked: Asked, name: string | null): Asked {
  if (name !== null && sent.hasSubscribers) unsentNames.set(asked, name)
  return asked
}

/** What a call of `query` sends; null where it answers by a callback or a stream, as pg itself and cursors ask. */
function statementOf(args: readonly unknown[]): SentStatement | null {
  const [asked] = args
  if (typeof args.at(-1) === 'function') return null
  if (typeof asked === 'string') return { name: null, text: asked }
  if (typeof asked !== 'object' || asked === null || 'submit' in asked) return null
  if (!('text' in asked) || typeof asked.text !== 'string') return null
  const named = 'name' in asked && typeof asked.name === 'string' ? asked.name : null
  return { name: named ?? unsentNames.get(asked) ?? null, text: asked.text }
}

const traced = <Query extends pg.Pool['query'] | pg.ClientBase['query']>(query: Query): Query =>
  new Proxy(query, {
    apply: (target, self, args: unknown[]) => {
      const statement = statementOf(args)
      const ask = () => Reflect.apply(target, self, args)
      return statement ? sent.tracePromise(ask, statement) : ask()
    },
  })

/**
 * Tells the channel `meridian:statement` of every statement of this pool, the waiting for a connection included. Where
 * nobody listens as the pool opens, the pool stays as it is.
 */
export function traceStatements(pool: pg.Pool): pg.Pool {
  if (!sent.hasSubscribers) return pool
  pool.query = traced(pool.query)
  pool.on('connect', (client) => {
    client.query = traced(client.query)
  })
  return pool
}
