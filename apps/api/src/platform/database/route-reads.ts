import { AsyncLocalStorage } from 'node:async_hooks'
import { isConnectionLost, type OpenDatabase } from '@meridian/db'
import type { Logger } from 'pino'
import { DomainError } from '../errors/domain-error.ts'
import type { Door } from '../limits/open-doors.ts'
import type { Replica, Server } from './open-replica.ts'

/** Where what is read comes from: by request, since a story does not know which server it asks. */
export type ReadRoutes = {
  /**
   * Runs work that only reads, with the connections of the server that it prefers, or of the other one: where the
   * preferred one may not or cannot be read, or fails at it. Only then the work runs a second time.
   */
  read: <Result>(prefers: Server, work: () => Promise<Result>) => Promise<Result>
  /** Whether the work at hand reads from the replica, where nothing can be written. */
  isOnReplica: () => boolean
  /** The connections of a door, to the server that the work at hand was given. */
  databaseOf: (door: Door) => OpenDatabase
}

type Doors = Readonly<Record<Door, OpenDatabase>>

/** Without a replica there is nothing to choose. */
const onlyPrimary = (doors: Doors): ReadRoutes => ({
  read: (_prefers, work) => work(),
  isOnReplica: () => false,
  databaseOf: (door) => doors[door],
})

class ServerLost extends Error {
  override readonly name = 'ServerLost'
  /** PostgreSQL's connection_failure. */
  readonly code = '08006'
}

const otherOf = (server: Server): Server => (server === 'primary' ? 'replica' : 'primary')

/** Routes reads between the doors' connections to the primary and those to the replica, where there is one. */
export function routeReads(doors: Doors, replica: Replica | null, log: Logger): ReadRoutes {
  if (!replica) return onlyPrimary(doors)
  const servers = new AsyncLocalStorage<Server>()
  const isOnReplica = () => servers.getStore() === 'replica'

  const mayRead = (server: Server): boolean =>
    server === 'primary' ? !replica.replacesPrimary() : replica.isFresh() || replica.replacesPrimary()

  /** A verdict of the business is the same anywhere; whatever else a replica says, the primary may know better. */
  const mayRepeat = (failed: Server, error: unknown): boolean =>
    failed === 'replica'
      ? mayRead('primary') && !(error instanceof DomainError)
      : replica.mayReplacePrimary() && isConnectionLost(error)

  /** Does not wait any longer for a server that is lost meanwhile, where the other one may be read. */
  const unlessLost = async <Result>(server: Server, work: () => Promise<Result>): Promise<Result> => {
    let forget = () => {}
    const lost = new Promise<never>((_resolve, reject) => {
      forget = replica.onLost(server, () => {
        if (mayRead(otherOf(server))) reject(new ServerLost(`the ${server} does not answer`))
      })
    })
    try {
      return await Promise.race([servers.run(server, work), lost])
    } finally {
      forget()
    }
  }

  return {
    isOnReplica,
    read: async (prefers, work) => {
      const server = mayRead(prefers) ? prefers : otherOf(prefers)
      try {
        return await unlessLost(server, work)
      } catch (error) {
        if (!mayRepeat(server, error)) throw error
        const reason = error instanceof Error ? error.message : String(error)
        log.warn({ server, reason }, 'a read was done again on the other server')
        return servers.run(otherOf(server), work)
      }
    },
    databaseOf: (door) => routed(door, { doors, replica, isOnReplica }),
  }
}

type Routing = { doors: Doors; replica: Replica; isOnReplica: () => boolean }

/** Chosen anew each time it is read, so that a story that keeps it for one call stays where it began. */
function routed(door: Door, { doors, replica, isOnReplica }: Routing): OpenDatabase {
  const there = replica.doors[door === 'console' ? 'console' : 'phones']
  const current = () => (isOnReplica() ? there : doors[door])
  return {
    get prisma() {
      return current().prisma
    },
    get pool() {
      return current().pool
    },
    close: doors[door].close,
    [Symbol.asyncDispose]: doors[door].close,
  }
}
