import { checkout } from './checkout.mjs'
import { runCommand } from './run-command.mjs'

/** `npm run bench`: what is measured, each figure beside its floor in the same run. */
export async function bench() {
  const command = /** @type {const} */ (['npm', 'run', '--silent', 'bench', '-w', '@meridian/payments'])
  const { code } = await runCommand(command, { cwd: checkout, output: 'show' })
  return code
}
