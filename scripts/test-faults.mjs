import { buildPrograms } from './build-programs.mjs'
import { checkout } from './checkout.mjs'
import { runCommand } from './run-command.mjs'

/**
 * `npm run test:faults`: thousands of orders while programs and database are killed; sizes by the environment.
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function testFaults(env = process.env) {
  await buildPrograms(['@meridian/api', '@meridian/sandbox'])
  const command = /** @type {const} */ ([process.execPath, '--import', 'tsx', 'tools/faults/main.ts'])
  const { code } = await runCommand(command, { cwd: checkout, env, output: 'show' })
  return code
}
