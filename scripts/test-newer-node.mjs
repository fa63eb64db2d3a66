import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { checkout, dataFolder, inCheckout } from './checkout.mjs'
import { runCommand } from './run-command.mjs'
import { say } from './show-progress.mjs'

/** The line that images ship; the package of this name on the npm registry holds the program itself. */
export const shippedNode = '24.21.0'

/** @returns {Promise<string | null>} the program of that line, installed beside the other data when it is missing */
export async function findNewerNode() {
  const name = `node-${process.platform}-${process.arch}`
  const folder = join(dataFolder, `node-${shippedNode}`)
  const program = join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(program)) return program
  const { npm_execpath: npm } = process.env
  const command = npm?.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm']
  const { code, output } = await runCommand(
    [
      command[0] ?? 'npm',
      ...command.slice(1),
      ...['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'],
      `${name}@${shippedNode}`,
    ],
    { cwd: dataFolder },
  )
  if (code === 0 && existsSync(program)) return program
  say(output.trim())
  return null
}

/**
 * The whole of `npm test` once more, on the Node that ships. Where that Node cannot be had the check has failed: nobody
 * has seen that it holds.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<import('./run-tests.mjs').Counts>}
 */
export async function testOnNewerNode(env) {
  const node = await findNewerNode()
  if (node === null)
    return { passed: 0, failed: 1, failures: [`Node ${shippedNode} is not to be had for this machine`] }
  const { code, output } = await runCommand([node, inCheckout('scripts/bootstrap.mjs'), 'test'], {
    cwd: checkout,
    env: { ...env, PATH: `${dirname(node)}${delimiter}${env.PATH ?? ''}` },
  })
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? []
  if (code !== 0) say(output.trim())
  if (passed === undefined || failed === undefined)
    return { passed: 0, failed: 1, failures: [`npm test on Node ${shippedNode} ended without a sum`] }
  return { passed: Number(passed), failed: Number(failed) }
}
