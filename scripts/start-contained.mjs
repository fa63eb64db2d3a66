import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { rememberGroup, runCommand } from './run-command.mjs'

/**
 * An image whose files are mounted here, and what its configuration says.
 * @typedef {{ root: string, user: string, env: Record<string, string>, command: string[], healthcheck: string[] }} Image
 * @typedef {{ image: Image, env: Record<string, string>, shared: string }} World shared: a folder that all programs may write
 * @typedef {{ pid: number, world: World, env: Record<string, string>, ended: Promise<number | null>, output: Promise<string> }} Contained
 */

/**
 * What a container runtime does, by the commands of util-linux: process and mount namespaces of its own, a root that nobody
 * can write, an empty /tmp, and the image's user without capabilities. The network is that of the caller.
 */
const script = `
set -e
root=$1 user=$2 shared=$3
shift 3
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t tmpfs -o mode=1777,size=16m,nosuid,nodev tmpfs "$root/tmp"
mkdir "$root/tmp/meridian-sandbox"
mount --bind "$shared" "$root/tmp/meridian-sandbox"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
exec chroot --userspec="$user" --groups= "$root" "$@"
`

/** The child that `unshare` has made is process 1 of its namespace. @param {number} pid @returns {Promise<number>} */
async function findProgram(pid) {
  for (;;) {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
    if (child && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('meridian.js')) return Number(child)
    await pause(5)
  }
}

/**
 * Starts the image with these arguments, as `docker run --read-only` does.
 * @param {World} world
 * @param {string[]} args
 * @param {Record<string, string>} [more] settings of this program alone
 * @returns {Promise<Contained>}
 */
export async function startContained(world, args, more = {}) {
  const { image, shared } = world
  const env = { ...image.env, ...world.env, ...more }
  const child = spawn(
    'unshare',
    [
      ...['--mount', '--pid', '--fork', '--kill-child=SIGKILL'],
      ...['sh', '-c', script, 'sh', image.root, image.user, shared, ...image.command, ...args],
    ],
    { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  )
  rememberGroup(child)
  const [output, errors] = [text(child.stdout), text(child.stderr)]
  const ended = once(child, 'exit').then(([code]) => code)
  const started = child.pid === undefined ? once(child, 'error') : findProgram(child.pid)
  const pid = await Promise.race([started, ended])
  return {
    pid: typeof pid === 'number' ? pid : 0,
    world,
    env,
    ended,
    output: Promise.all([output, errors]).then((parts) => parts.join('')),
  }
}

/** A command of the image, to its end. @param {World} world @param {string[]} args */
export async function runContained(world, args) {
  const { ended, output } = await startContained(world, args)
  return { code: await ended, output: await output }
}

/**
 * Runs something inside a program's container, as its user.
 * @param {Contained} contained
 * @param {string[]} command
 */
export function runInside({ pid, world: { image }, env }, command) {
  const [uid = '', gid = ''] = image.user.split(':')
  const enter = ['--target', `${pid}`, '--mount', '--pid', '--root', '--setuid', uid, '--setgid', gid]
  return runCommand(['nsenter', ...enter, ...command], { env })
}
