import type { Daemon } from './daemon.ts'
import type { Drill, Stage } from './drill.ts'
import type { Gateways } from './gateways.ts'

/** How long a gateway is away before it is started again, as systemd does it within a second or two. */
const awaySeconds = 3
const redisAwaySeconds = 15

const killed = (choose: (gateways: Gateways) => Daemon, seconds: number) => async (stage: Stage) => {
  const gateway = choose(stage.world.gateways)
  await gateway.kill()
  await stage.wait(seconds)
  await gateway.start()
  stage.markRestored()
}

/** Nobody needs Redis to be served: while it is away no request fails, and nothing waits. */
const withoutFailure = { failed: 0 }

export const gatewayDrills: readonly Drill[] = [
  {
    name: 'pgbouncer-killed',
    title: 'PgBouncer killed and started again after 3 s',
    topology: 'pgbouncer',
    act: killed(({ pgbouncer }) => pgbouncer, awaySeconds),
    // Without PgBouncer nobody reaches the database.
    limits: { withoutReadsSeconds: awaySeconds + 2 },
  },
  {
    name: 'haproxy-killed',
    title: 'HAProxy killed and started again after 3 s',
    act: killed(({ haproxy }) => haproxy, awaySeconds),
    limits: { withoutReadsSeconds: awaySeconds + 2 },
  },
  {
    name: 'redis-killed',
    title: 'Redis killed, and started again after 15 s',
    act: killed(({ redis }) => redis, redisAwaySeconds),
    limits: withoutFailure,
  },
  {
    name: 'redis-hung',
    title: 'Redis hung for 15 s',
    act: async ({ world, wait }) => {
      world.gateways.redis.freeze()
      await wait(redisAwaySeconds)
      world.gateways.redis.thaw()
    },
    limits: withoutFailure,
  },
]
