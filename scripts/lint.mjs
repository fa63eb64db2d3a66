import { callerPath, checkout, nodeModule } from './checkout.mjs'
import { runCommand } from './run-command.mjs'

/** @param {string[]} args */
async function biome(...args) {
  const command = /** @type {const} */ ([process.execPath, nodeModule('@biomejs/biome/bin/biome')])
  const { code } = await runCommand([...command, ...args], { cwd: checkout, output: 'show' })
  return code
}

/** `npm run lint`: format and lint of everything, or of these paths; changes nothing. @param {string[]} paths */
export const lint = (paths) => biome('check', ...paths.map(callerPath))

/** `npm run format`: writes the format and what can be corrected without a doubt. @param {string[]} paths */
export const format = (paths) => biome('check', '--write', ...paths.map(callerPath))
