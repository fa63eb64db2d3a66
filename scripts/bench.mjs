import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { checkout } from './checkout.mjs'

const measured = ['@meridian/payments']

/** `npm run bench`: what is measured, each figure beside its floor in the same run. */
export async function bench() {
  for (const workspace of measured) {
    const program = spawn('npm', ['run', '--silent', 'bench', '-w', workspace], {
      cwd: checkout,
      stdio: 'inherit',
    })
    const [code] = await once(program, 'exit')
    if (code !== 0) return 1
  }
  return 0
}
