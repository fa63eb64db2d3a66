import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readArguments, usage } from './arguments.ts'
import { buildPrevious } from './build-previous.ts'
import { allDrills, chooseDrills } from './choose-drills.ts'
import { config } from './config.ts'
import type { Drill } from './drill.ts'
import { fetchNewer } from './fetch-newer.ts'
import { findPrograms, hasNewer } from './find-programs.ts'

const cannotRun = 2

function refuse(message: string): never {
  console.error(message)
  process.exit(cannotRun)
}

const orRefuse = <Value>(read: () => Value): Value => {
  try {
    return read()
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
}

/** What a drill may take at most, its installation included. */
const minutesEach = 20

/**
 * Network, mounts and processes of the drills are namespaces of their own. Their first process ends with this one, and
 * the kernel ends and removes everything in them: no process, interface or mount can be left behind.
 */
async function runInNamespaces(args: readonly string[], drills: readonly Drill[]): Promise<number> {
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const program = [process.execPath, '--import', 'tsx', join(import.meta.dirname, 'run.ts'), ...args]
  const folder = mkdtempSync(join(tmpdir(), 'meridian-drills-'))
  chmodSync(folder, 0o755)
  // The shell is the first process: it takes in whoever has lost their parent.
  const child = spawn('unshare', [...namespaces, 'bash', '-c', '"$@" <&3 & wait $!', 'drill', ...program], {
    cwd: config.checkout,
    env: { PATH: config.searchPath, HOME: config.home, TMPDIR: folder },
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  const tooLong = setTimeout(() => child.kill('SIGKILL'), drills.length * minutesEach * 60_000)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill('SIGKILL'))
  const [code] = await once(child, 'exit')
  clearTimeout(tooLong)
  rmSync(folder, { recursive: true, force: true })
  return typeof code === 'number' ? code : 1
}

const argv = process.argv.slice(2)
const args = orRefuse(() => readArguments(argv))
const drills = orRefuse(() => chooseDrills(args.only))
if (args.list) {
  for (const { name, title } of allDrills) console.log(`${name.padEnd(24)} ${title}`)
  process.exit(0)
}
if (args.fetch !== undefined) {
  fetchNewer(resolve(args.fetch))
  process.exit(0)
}
const found = findPrograms(args.newer)
if ('missing' in found)
  refuse(
    `The drills need Debian packages that are not here: apt-get install --no-install-recommends ${found.missing.join(' ')}`,
  )
if (args.newer !== undefined && !hasNewer(args.newer))
  refuse(`There are no packages in ${args.newer}: fill it by --fetch ${args.newer}`)
if (process.getuid?.() !== 0) refuse('The drills make network namespaces: run them as root.')
const needsPrevious = drills.some(({ beginsWithPrevious }) => beginsWithPrevious)
const previous = needsPrevious ? buildPrevious(args.previous) : null
if (previous) console.log(`The previous release is ${previous.commit}.`)
const { only, topology, newer, json, logs } = args
const passed = {
  ...{ only: only.join(','), topology, newer, json, logs },
  previous: previous?.folder,
}
process.exit(
  await runInNamespaces(
    Object.entries(passed).flatMap(([name, value]) => (value ? [`--${name}`, value] : [])),
    drills,
  ),
)
