import { join } from 'node:path'
import { checkout, dataFolder, nodeModule } from './checkout.mjs'
import { holdLock } from './hold-lock.mjs'
import { Refusal } from './refusal.mjs'
import { runCommand } from './run-command.mjs'
import { step } from './show-progress.mjs'

const quiet = { NEXT_TELEMETRY_DISABLED: '1', TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1' }

/**
 * Builds for production what has changed since the last build; a second or two when nothing has.
 * @param {readonly string[]} [packages] workspaces to build with all they stand on; without, everything
 */
export async function buildPrograms(packages = []) {
  const filters = packages.map((name) => `--filter=${name}`)
  const title = packages.length === 0 ? 'Building' : `Building ${packages.join(', ')}`
  await holdLock(join(dataFolder, 'build.lock'), () =>
    step(title, async () => {
      const { code, output } = await runTurbo(['run', 'build', '--output-logs=errors-only', ...filters])
      if (code !== 0) throw new Refusal(`The build has failed.\n${output.trim()}`)
    }),
  )
}

/**
 * Turborepo, without asking the network for anything.
 * @param {readonly string[]} args
 */
export function runTurbo(args) {
  // Next and React build for development under any other NODE_ENV.
  const env = { ...process.env, ...quiet, NODE_ENV: 'production' }
  return runCommand([process.execPath, nodeModule('turbo/bin/turbo'), ...args], { cwd: checkout, env })
}
