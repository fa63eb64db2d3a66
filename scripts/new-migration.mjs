import { checkout, inCheckout } from './checkout.mjs'
import { runCommand } from './run-command.mjs'

/**
 * `npm run migrate:new -- <name>`: the SQL that leads from the committed Prisma schema to the one at hand, as a file.
 * @param {string[]} args
 */
export async function newMigration(args) {
  const file = inCheckout('packages/db/development/migrate-new.ts')
  const { code } = await runCommand([process.execPath, '--import', 'tsx', file, ...args], {
    cwd: checkout,
    output: 'show',
  })
  return code
}
