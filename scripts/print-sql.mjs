import { checkout } from './checkout.mjs'
import { runCommand } from './run-command.mjs'

/**
 * `npm run sql -- <name>`: a statement as PostgreSQL gets it; without a name their list, with --write docs/sql anew.
 * @param {string[]} args
 */
export async function printSql(args) {
  const program = 'apps/api/test/statements/print-sql.ts'
  const command = /** @type {const} */ ([process.execPath, '--import', 'tsx', program])
  const { code } = await runCommand([...command, ...args], { cwd: checkout, output: 'show' })
  return code
}
