import { runTurbo } from './build-programs.mjs'
import { checkout } from './checkout.mjs'
import { runCommand } from './run-command.mjs'

/**
 * `npm run test:mutants`: whether the tests notice that the money code is changed; sizes by the environment.
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function testMutants(env = process.env) {
  await runTurbo(['run', 'generate'])
  const command = /** @type {const} */ ([process.execPath, '--import', 'tsx', 'tools/mutants/main.ts'])
  const { code } = await runCommand(command, { cwd: checkout, env, output: 'show' })
  return code
}
