import { until } from './daemon.ts'
import type { Drill } from './drill.ts'
import { bootAll, freezeLeader } from './fail-over-drills.ts'

/** The standbys get nothing until so many payments more are acknowledged: a busy network's lag, made sure to be seen. */
const fewestAcknowledged = 10
const lagWithinMs = 20_000

export const lossDrills: readonly Drill[] = [
  {
    name: 'asynchronous',
    title: 'Without synchronous standby: leader dead while its standbys lag',
    changes: { SYNCHRONOUS_MODE: 'false' },
    losesPayments: true,
    act: async ({ world, acknowledged }) => {
      const leader = await world.cluster.leader()
      for (const machine of world.cluster.machines) if (machine !== leader) leader.muteReplicationTo(machine)
      const enough = acknowledged() + fewestAcknowledged
      await until('Acknowledged payments', lagWithinMs, async () => acknowledged() >= enough)
      await leader.die()
    },
    thenSeconds: 60,
    repair: bootAll,
  },
  {
    name: 'uncompared-key',
    title: 'Patroni 3.0.2 with etcd3: leader frozen for 60 s, then thawed',
    changes: { PATRONI_STORE: 'etcd3' },
    needsInstalledPatroni: true,
    losesPayments: true,
    act: freezeLeader,
    thenSeconds: 60,
  },
]
