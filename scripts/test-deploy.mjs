import { checkout } from './checkout.mjs'
import { runCommand } from './run-command.mjs'
import { say } from './show-progress.mjs'

/**
 * `npm run check:deploy` as a stage of the deep tests. A check whose program is missing is shown, and is neither passed nor
 * failed.
 * @returns {Promise<import('./run-tests.mjs').Counts>}
 */
export async function testDeploy() {
  const { output } = await runCommand([process.execPath, '--import', 'tsx', 'tools/deploy-checks/main.ts'], {
    cwd: checkout,
  })
  say(output.trim())
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? []
  if (passed === undefined || failed === undefined)
    return { passed: 0, failed: 1, failures: ['npm run check:deploy ended without a sum'] }
  const failures = output.split('\n').filter((line) => line.startsWith('✖'))
  return { passed: Number(passed), failed: Number(failed), failures }
}
