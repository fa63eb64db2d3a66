import type { OpenDatabase, Pool } from '@meridian/db'
import {
  createMiniProgram,
  createPayments,
  type MiniProgram,
  PaymentSettingsError,
  type Payments,
  type Runtime,
  type VirtualPayments,
} from '@meridian/payments'
import type { Logger } from 'pino'
import { settingVariables } from './config/payment-settings.ts'
import { type Config, ConfigError } from './config.ts'
import { type IdentityProvider, openIdentityProvider } from './identity/read-provider.ts'
import { type Observations, openObservations } from './monitoring/observations.ts'
import { openConnections } from './open-connections.ts'
import { type KnownAddresses, openKnownAddresses } from './operators/known-addresses.ts'
import { openRecentPurchases, type RecentPurchases } from './orders/recent-purchases.ts'
import { openPaymentGroups, type PaymentGroups } from './payments/group-payments.ts'
import { type DataKeys, openDataKeys } from './platform/crypto/data-keys.ts'
import type { Replica } from './platform/database/open-replica.ts'
import type { ReadRoutes } from './platform/database/route-reads.ts'
import type { DatabaseState } from './platform/database/watch-database.ts'
import {
  type Allowance,
  type OneAtATime,
  openBigReads,
  openLongBodies,
  openOneAtATime,
} from './platform/limits/bounded-work.ts'
import { type Door, doors } from './platform/limits/open-doors.ts'
import { type Limits, openLimits } from './platform/limits/open-limits.ts'
import type { ConnectionShares } from './platform/limits/share-connections.ts'
import { logSampled } from './platform/log.ts'
import { type Clock, openClock } from './platform/time/business-time.ts'

/** Everything a story may need from outside, passed as an argument. */
export type Services = {
  config: Config
  log: Logger
  /** Network, clock and chance; its `now` is the clock of the business. */
  runtime: Runtime
  clock: Clock
  /** The connections of the door at hand; those of the jobs where nobody is at a door. Closing it closes all doors'. */
  database: OpenDatabase
  doors: Readonly<Record<Door, OpenDatabase>>
  /** Confirmed payments of one order, told by whomever, come one after the other: one connection waits for its lock. */
  ordersInTurn: OneAtATime
  /** Payments that arrive together are committed together. */
  paymentGroups: PaymentGroups
  /** The connection of the watch and of alerts: whoever takes all others must not silence the alarm about it. */
  alarmPool: Pool
  /** From now on nothing is set for a session of the database: a pooler lends it to others. */
  leaveSessionsAlone: () => void
  /** The standby that is read from; null where there is none. */
  replica: Replica | null
  /** Which server what is read comes from. */
  reads: ReadRoutes
  /** Whether the database answers, and takes writes. */
  databaseState: DatabaseState
  /** How the connections of this process are shared out. */
  shares: ConnectionShares
  /** What this process saw of its calls to platforms. */
  observations: Observations
  /** What this process told somebody is done, should the database lose it. */
  recentPurchases: RecentPurchases
  dataKeys: DataKeys
  payments: Payments | null
  miniProgram: MiniProgram | null
  /** The channel of virtual payment; null where it is not configured. */
  virtual: VirtualPayments | null
  limits: Limits
  /** Whoever reads a report or an account as a whole, by whatever door, takes turns with all the others. */
  bigReads: Allowance
  /** Whoever sends a long body waits for its slice of the event loop behind the others. */
  longBodies: Allowance
  knownAddresses: KnownAddresses
  /** The company's identity provider; null where operators sign in by password alone. */
  identityProvider: IdentityProvider | null
}

function openPayments(config: Config, runtime: Runtime): Payments | null {
  if (!config.payments) return null
  try {
    return createPayments(config.payments, runtime)
  } catch (error) {
    if (!(error instanceof PaymentSettingsError)) throw error
    throw new ConfigError(
      error.problems.map(({ setting, message }) => `${settingVariables[setting]}: ${message}`),
    )
  }
}

const groupFailuresToldEveryMs = 10_000

const tellGroupFailures = (log: Logger) =>
  logSampled(groupFailuresToldEveryMs, (times, reason: unknown) =>
    log.warn(
      { component: 'payments', times, reason: String(reason) },
      'a group failed: each payment is applied alone',
    ),
  )

/**
 * Opens what the program works with.
 * @throws ConfigError when a payment setting does not hold.
 */
export function openServices(config: Config, log: Logger, given: Runtime): Services {
  const observations = openObservations()
  const { doors: opened, alarmPool, shares, ...connections } = openConnections(config, log)
  const { replica, reads, databaseState, leaveSessionsAlone } = connections
  const closeAll = async () => {
    await Promise.all(doors.map((door) => opened[door].close()))
  }
  const { jobs } = opened
  const clock = openClock(jobs.pool, given.now)
  const runtime = { ...given, now: clock.now, sawCall: observations.sawCall }
  const payments = openPayments(config, runtime)
  const miniProgram = config.login ? createMiniProgram(config.login, runtime) : null
  const dataKeys = openDataKeys(jobs.pool, config.DATA_KEY)
  return {
    config,
    log,
    runtime,
    clock,
    database: {
      // Not copied: reading it makes the client.
      get prisma() {
        return jobs.prisma
      },
      pool: jobs.pool,
      close: closeAll,
      [Symbol.asyncDispose]: closeAll,
    },
    doors: opened,
    alarmPool,
    replica,
    reads,
    databaseState,
    leaveSessionsAlone,
    shares,
    ordersInTurn: openOneAtATime(),
    paymentGroups: openPaymentGroups({ size: config.PAYMENT_GROUP_SIZE, onFailure: tellGroupFailures(log) }),
    observations,
    recentPurchases: openRecentPurchases(),
    dataKeys,
    payments,
    miniProgram,
    virtual: config.virtual && miniProgram ? miniProgram.virtualPayments(config.virtual) : null,
    limits: openLimits(config.REDIS_URL, log),
    bigReads: openBigReads(Math.min(shares.phones, shares.console)),
    longBodies: openLongBodies(),
    knownAddresses: openKnownAddresses(opened.console.pool),
    identityProvider: config.identity && openIdentityProvider(config.identity, given),
  }
}

/** Lets go of what was opened. */
export async function closeServices({
  database,
  databaseState,
  replica,
  alarmPool,
  limits,
}: Services): Promise<void> {
  databaseState.close()
  await Promise.all([database.close(), replica?.close(), alarmPool.end()])
  limits.close()
}

/** The same services as one door has them: its statements take its own connections. */
export const atDoor = (services: Services, door: Door): Services => ({
  ...services,
  database: services.reads.databaseOf(door),
})
