import type { Daemon } from './daemon.ts'
import type { Drill, Stage } from './drill.ts'
import type { Gateways } from './gateways.ts'

/** RestartSec of Debian's haproxy.service and of deploy/systemd/pgbouncer.service.d. */
const awaySeconds = 0.1
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
    title: 'PgBouncer killed, and started again by systemd',
    topology: 'pgbouncer',
    act: killed(({ pgbouncer }) => pgbouncer, awaySeconds),
  },
  {
    name: 'haproxy-killed',
    title: 'HAProxy killed, and started again by systemd',
    act: killed(({ haproxy }) => haproxy, awaySeconds),
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
