import { type RewindableCluster, startRewindableCluster } from '@meridian/db/testing'
import { expect } from 'vitest'
import { openSwitchWatch } from '../../src/doors/jobs/heal-after-switch.ts'
import { readPosition } from '../../src/platform/database/read-position.ts'
import type { Services } from '../../src/services.ts'
import { prepareDatabase } from './prepare-database.ts'
import { openTestWorld, type TestWorld, type WorldOptions } from './test-world.ts'

/** A process's watch for a database that went back, of which a test moves the clock. */
export function watchSwitches(services: Services) {
  let aheadMs = 0
  const watch = openSwitchWatch(services, { nowMs: () => performance.now() + aheadMs })
  return {
    ...watch,
    later: (ms: number) => {
      aheadMs += ms
    },
  }
}

/** Looks until nothing is to be made again any more. */
export async function untilHealed({ look, isHealing }: ReturnType<typeof watchSwitches>): Promise<void> {
  await expect
    .poll(async () => {
      await look()
      return isHealing()
    })
    .toBe(false)
}

/** A server of its own, and worlds on it: what happens since `keepCopy` can be lost. */
export async function openLosableWorld(cluster: RewindableCluster, options: WorldOptions = {}) {
  const world = await openTestWorld({ ...options, template: cluster.address })
  const watch = watchSwitches(world.services)
  await watch.look()
  return { world, watch }
}

export const startLosableCluster = (): Promise<RewindableCluster> =>
  startRewindableCluster({ prepare: prepareDatabase })

/** The server is back, and this process has a connection to it; after a promotion it takes writes. */
export async function untilBack({ services }: TestWorld): Promise<void> {
  await expect.poll(() => readPosition(services.alarmPool).catch(() => null)).not.toBeNull()
}
