import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { run, until } from './daemon.ts'
import type { Drill, Stage } from './drill.ts'
import type { Machine } from './machine.ts'

/** Every process of PostgreSQL on a machine, and nothing of Patroni. */
const postgres = /^(postgres: |\S*\/postgres )/

const frozenSeconds = 60

/** Does this to a machine for a minute, then undoes it. */
async function forAMinute({ wait }: Stage, start: () => void, end: () => void): Promise<void> {
  start()
  await wait(frozenSeconds)
  end()
}

const onLeader = (act: (leader: Machine, stage: Stage) => Promise<void> | void) => async (stage: Stage) => {
  await act(await stage.world.cluster.leader(), stage)
}

export const freezeLeader = onLeader((leader, stage) => forAMinute(stage, leader.freeze, leader.thaw))

/** Whoever is dead is switched on again. */
export const bootAll = async ({ world }: Stage) => {
  for (const machine of world.cluster.machines) if (!machine.isRunning()) await machine.boot()
}

const fullSeconds = 30
const fillName = 'filler'

/** Writes until the disk has no room; what is left is less than a page of the log. */
function fillDisk({ disk }: Machine): void {
  try {
    run('dd', 'if=/dev/zero', `of=${join(disk, fillName)}`, 'bs=64k', 'status=none')
  } catch {
    // dd ends with an error because the disk is full.
  }
}

export const failOverDrills: readonly Drill[] = [
  {
    name: 'leader-killed',
    title: 'PostgreSQL of the leader killed with -9',
    act: onLeader((leader) => {
      if (leader.killPrograms(postgres) === 0) throw new Error('The leader had no process of PostgreSQL')
    }),
  },
  {
    name: 'leader-dead',
    title: 'Machine of the leader dead',
    act: onLeader((leader) => leader.die()),
    thenSeconds: 60,
    repair: bootAll,
  },
  {
    name: 'switchover',
    title: 'Switchover',
    act: ({ world }) => world.cluster.switchover(),
  },
  {
    name: 'switchover-late-name',
    title: 'Switchover behind a name that follows 12 s late',
    byLateName: true,
    act: async ({ world, wait, markRestored }) => {
      const before = await world.cluster.leader()
      await world.cluster.switchover()
      const isOther = async () => (await world.cluster.leader()).name !== before.name
      await until('Another leader', 30_000, () => isOther().catch(() => false))
      await wait(12)
      world.lateName?.pointAt(await world.cluster.leader())
      markRestored()
    },
    thenSeconds: 60,
  },
  {
    name: 'leader-frozen',
    title: 'Leader frozen for 60 s, then thawed',
    act: freezeLeader,
    thenSeconds: 45,
  },
  {
    name: 'standby-frozen',
    title: 'Synchronous standby frozen for 60 s, then thawed',
    act: async (stage) => {
      const standby = await stage.world.cluster.synchronousStandby()
      await forAMinute(stage, standby.freeze, standby.thaw)
    },
  },
  {
    name: 'leader-cut-off',
    title: 'Leader cut off from the network for 60 s',
    act: onLeader((leader, stage) => forAMinute(stage, leader.unplug, leader.plug)),
    thenSeconds: 45,
  },
  {
    name: 'disk-full',
    title: 'Disk of the leader full, room again after 30 s',
    // Patroni starts a server that ended for want of room again and again, and keeps its lock: room is made by somebody.
    act: onLeader(async (leader, { wait, markRestored }) => {
      fillDisk(leader)
      await wait(fullSeconds)
      rmSync(join(leader.disk, fillName), { force: true })
      markRestored()
    }),
    thenSeconds: 45,
  },
]
