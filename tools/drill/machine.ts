import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asPostgres, openDaemon, run } from './daemon.ts'

/** The network of the machines; the drill itself and everything that is no database lives at the first address. */
export const bridge = { name: 'drill', address: '10.213.0.1', network: '10.213.0.0/24' } as const

export type Machine = {
  name: string
  address: string
  /** A file system of its own, in memory, as big as its disk. */
  disk: string
  isRunning: () => boolean
  /** Everything on it starts. */
  boot: () => Promise<void>
  /** The power is cut: every program is gone at once, and the network with them. */
  die: () => Promise<void>
  /** Every program stands still; the kernel goes on to answer for their connections. */
  freeze: () => void
  thaw: () => void
  /** The network cable is pulled: what is under way is neither answered nor refused. */
  unplug: () => void
  plug: () => void
  /** This machine's server sends this machine nothing more; everything else passes. */
  muteReplicationTo: (other: Machine) => void
  /** Kills every process whose command line begins so, as the kernel's out-of-memory killer does. */
  killPrograms: (begins: RegExp) => number
  /** Nothing of it stays. */
  remove: () => Promise<void>
}

type MachineStart = { index: number; folder: string; diskMegabytes: number }

/** A network namespace with a cable to the bridge. */
function connect(name: string, address: string): void {
  run('ip', 'netns', 'add', name)
  run('ip', 'link', 'add', `cable-${name}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  run('ip', 'link', 'set', `cable-${name}`, 'master', bridge.name, 'up')
  for (const step of [`link set lo up`, `addr add ${address}/24 dev eth0`, `link set eth0 up`])
    run('ip', '-n', name, ...step.split(' '))
}

/** Opens the network of all machines inside the drill's own network namespace. */
export function openBridge(): void {
  if (run('ip', '-brief', 'link').includes(`${bridge.name} `)) return
  run('ip', 'link', 'set', 'lo', 'up')
  run('ip', 'link', 'add', bridge.name, 'type', 'bridge')
  run('ip', 'addr', 'add', `${bridge.address}/24`, 'dev', bridge.name)
  run('ip', 'link', 'set', bridge.name, 'up')
}

const commandLine = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended since it was listed.
    }
  }
}

/** A machine that does not run yet. Its start script runs as the user `postgres`, in a process namespace of its own. */
export function openMachine({ index, folder, diskMegabytes }: MachineStart): Machine {
  const name = `node${index}`
  const address = `10.213.0.1${index}`
  const disk = join(folder, name)
  run('mkdir', '-p', disk)
  run('mount', '-t', 'tmpfs', '-o', `size=${diskMegabytes}m,mode=0755`, name, disk)
  run('chown', 'postgres:postgres', disk)
  connect(name, address)
  const init = openDaemon({
    name,
    command: [
      ...['ip', 'netns', 'exec', name, 'unshare', '--pid', '--fork', '--kill-child', '--mount-proc'],
      ...asPostgres(['bash', join(disk, 'start.sh')]),
    ],
    logFile: join(folder, `${name}.log`),
  })
  const pids = () => run('ip', 'netns', 'pids', name).trim().split('\n').filter(Boolean).map(Number)
  const muted: string[][] = []
  let isRunning = false
  const die = async () => {
    isRunning = false
    cable('down')
    signal(pids(), 'SIGKILL')
    await init.kill()
  }
  const cable = (state: 'up' | 'down') => run('ip', 'link', 'set', `cable-${name}`, state)
  return {
    name,
    address,
    disk,
    isRunning: () => isRunning,
    boot: async () => {
      isRunning = true
      for (const rule of muted.splice(0)) run('ip', '-n', name, 'rule', 'delete', ...rule)
      cable('up')
      await init.start()
    },
    die,
    freeze: () => signal(pids(), 'SIGSTOP'),
    thaw: () => signal(pids(), 'SIGCONT'),
    unplug: () => void cable('down'),
    plug: () => void cable('up'),
    muteReplicationTo: (other) => {
      const rule = ['ipproto', 'tcp', 'sport', '5432', 'to', other.address, 'blackhole']
      run('ip', '-n', name, 'rule', 'add', ...rule)
      muted.push(rule)
    },
    killPrograms: (begins) => {
      const found = pids().filter((pid) => begins.test(commandLine(pid)))
      signal(found, 'SIGKILL')
      return found.length
    },
    remove: async () => {
      await die()
      run('ip', 'link', 'delete', `cable-${name}`)
      run('ip', 'netns', 'delete', name)
      run('umount', disk)
    },
  }
}
