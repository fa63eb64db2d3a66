import type { DatabaseOptions, OpenDatabase } from '@meridian/db'
import type { Logger } from 'pino'
import { type Door, openDoor } from '../limits/open-doors.ts'
import type { ConnectionShares } from '../limits/share-connections.ts'
import { mayReplacePrimary, whyNotForLists } from './judge-replica.ts'
import { measureLag } from './measure-lag.ts'
import { takePulse } from './take-pulse.ts'

/** Whom a replica serves: the console, and phones while the primary is away; with connections of their own, as everywhere. */
export type ReplicaDoor = Extract<Door, 'console' | 'phones'>

export type Replica = {
  doors: Readonly<Record<ReplicaDoor, OpenDatabase>>
  /** Whether lists may be read from it: it answers, and is no more than ten seconds behind. */
  isFresh: () => boolean
  /** Whether the primary does not answer and the replica may be read in its place. */
  replacesPrimary: () => boolean
  /** Whether it may, once the primary does not answer. */
  mayReplacePrimary: () => boolean
  /** The primary answered a door: whoever wrote there reads there from now on. */
  primaryAnswered: () => void
  /** Calls the listener at each look at which this server is lost, until what this answers is called. */
  onLost: (server: Server, listener: () => void) => () => void
  close: () => Promise<void>
}

export type Server = 'primary' | 'replica'

type Opening = {
  primaryUrl: string
  replicaUrl: string
  shares: ConnectionShares
  options: DatabaseOptions & { sharesSessions: () => boolean }
  /** The primary answered. */
  onPrimary: () => void
  log: Logger
}

/** Says each change in the log, once. */
function tellChanges(log: Logger) {
  let told: string | null | undefined
  return ({ unfit, isLost, replaces }: { unfit: string | null; isLost: boolean; replaces: boolean }) => {
    // How a server that is lost says so may differ from one look to the next.
    const state = replaces ? 'replaces' : isLost ? 'lost' : unfit
    if (told === state) return
    told = state
    if (replaces) log.warn('the primary does not answer: reads go to the replica')
    else if (unfit === null) log.info('lists are read from the replica')
    else log.warn({ reason: unfit }, 'lists are read from the primary')
  }
}

/** Opens the connections to a replica and watches it and its primary. */
export function openReplica({ primaryUrl, replicaUrl, shares, options, onPrimary, log }: Opening): Replica {
  const nowMs = () => performance.now()
  const { sharesSessions } = options
  const lag = measureLag()
  const tell = tellChanges(log)
  const primary = takePulse({
    databaseUrl: primaryUrl,
    sharesSessions,
    nowMs,
    onLook: (pulse) => {
      if (pulse) onPrimary()
      if (pulse && !pulse.isStandby) lag.mark({ position: pulse.position, atMs: pulse.askedAtMs })
    },
  })
  const servers = {
    primary,
    replica: takePulse({ databaseUrl: replicaUrl, sharesSessions, nowMs, onLook: () => tellState() }),
  }
  const unfit = (): string | null => {
    const last = servers.replica.last()
    if (servers.replica.lost() !== null || !last) return servers.replica.lost() ?? 'not asked yet'
    return whyNotForLists({ replica: last, lag }, { primary: primary.last(), nowMs: nowMs() })
  }
  const mayReplace = () => {
    const last = servers.replica.last()
    return (
      last !== null && mayReplacePrimary({ replica: last, lag }, { primary: primary.last(), nowMs: nowMs() })
    )
  }
  const replaces = () => primary.lost() !== null && mayReplace()
  const tellState = () => {
    const isLost = servers.replica.lost() !== null
    if (primary.last()) tell({ unfit: unfit(), isLost, replaces: replaces() })
  }
  const open = (door: ReplicaDoor) => openDoor(replicaUrl, door, { ...options, maxConnections: shares[door] })
  const doors = { console: open('console'), phones: open('phones') }
  return {
    doors,
    isFresh: () => unfit() === null,
    replacesPrimary: replaces,
    mayReplacePrimary: mayReplace,
    primaryAnswered: primary.answered,
    onLost: (server, listener) => servers[server].onLost(listener),
    close: async () => {
      await Promise.all([
        primary.close(),
        servers.replica.close(),
        doors.console.close(),
        doors.phones.close(),
      ])
    },
  }
}
