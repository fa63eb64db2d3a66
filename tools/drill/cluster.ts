import { join } from 'node:path'
import { z } from 'zod'
import { until } from './daemon.ts'
import type { Programs } from './find-programs.ts'
import { type Machine, openBridge, openMachine } from './machine.ts'
import { password, renderCluster } from './render.ts'

const Members = z.object({
  members: z.array(
    z.object({ name: z.string(), role: z.string(), state: z.string(), timeline: z.unknown() }),
  ),
})
type Member = z.infer<typeof Members>['members'][number]

export type Cluster = {
  machines: readonly Machine[]
  members: () => Promise<Member[]>
  /** The machine that holds the leader key. @throws Error when nobody does */
  leader: () => Promise<Machine>
  /** The standby whose copy every commit waits for. */
  synchronousStandby: () => Promise<Machine>
  switchover: () => Promise<void>
  /** Changes the configuration that all members share. */
  configure: (change: object) => Promise<void>
  /** Fulfilled when a leader and all its standbys are there again, one of them synchronous unless it is not wanted. */
  untilWhole: (withinMs: number) => Promise<void>
  /** PostgreSQL on this machine itself, as its owner. */
  addressOf: (machine: Machine) => string
}

export type ClusterStart = {
  folder: string
  programs: Programs
  changes: Readonly<Record<string, string>>
}

const diskMegabytes = 1_500
const isLeader = ({ role }: Member) => role === 'leader' || role === 'master' || role === 'primary'
const isRunning = ({ state }: Member) => state === 'running' || state === 'streaming'

function patroni(machines: readonly Machine[]) {
  const authorization = `Basic ${Buffer.from(`patroni:${password}`).toString('base64')}`
  const ask = async ({ address }: Machine, path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`http://${address}:8008${path}`, {
      ...init,
      headers: { authorization, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(init.method ? 60_000 : 1_000),
    })
  const members = async (): Promise<Member[]> => {
    const asked = machines.map(async (machine) =>
      Members.parse(await (await ask(machine, '/cluster')).json()),
    )
    return (await Promise.any(asked)).members
  }
  return { ask, members }
}

export async function openCluster({ folder, programs, changes }: ClusterStart): Promise<Cluster> {
  openBridge()
  const machines = [1, 2, 3].map((index) => openMachine({ index, folder, diskMegabytes }))
  renderCluster({ folder, programs, machines, changes })
  await Promise.all(machines.map(({ boot }) => boot()))
  const { ask, members } = patroni(machines)
  const find = async (what: string, fits: (member: Member) => boolean): Promise<Machine> => {
    const name = (await members()).find(fits)?.name
    const machine = machines.find((one) => one.name === name)
    if (!machine) throw new Error(`The cluster has no ${what}`)
    return machine
  }
  const leader = () => find('leader', (member) => isLeader(member) && isRunning(member))
  const isSynchronous = ({ role }: Member) => role === 'sync_standby' || role === 'quorum_standby'
  const synchronousStandby = () => find('synchronous standby', isSynchronous)
  const wantsSynchronous = changes['SYNCHRONOUS_MODE'] !== 'false'
  const isWhole = async () => {
    const all = await members()
    return (
      all.length === machines.length &&
      all.every(isRunning) &&
      all.some(isLeader) &&
      new Set(all.map(({ timeline }) => timeline)).size === 1 &&
      (!wantsSynchronous || all.some(isSynchronous))
    )
  }
  const expectOk = async (answer: Response) => {
    if (!answer.ok) throw new Error(`Patroni answered ${answer.status}: ${await answer.text()}`)
  }
  return {
    machines,
    members,
    leader,
    synchronousStandby,
    switchover: async () => {
      const [from, to] = await Promise.all([leader(), synchronousStandby()])
      const body = JSON.stringify({ leader: from.name, candidate: to.name })
      await expectOk(await ask(from, '/switchover', { method: 'POST', body }))
    },
    configure: async (change) =>
      expectOk(await ask(await leader(), '/config', { method: 'PATCH', body: JSON.stringify(change) })),
    untilWhole: (withinMs) =>
      until(`A whole cluster (${join(folder, 'node*.log')})`, withinMs, () => isWhole().catch(() => false)),
    addressOf: ({ address }) => `postgresql://postgres:${password}@${address}:5432/meridian`,
  }
}
