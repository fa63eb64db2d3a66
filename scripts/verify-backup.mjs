import { existsSync } from 'node:fs'
import { buildPrograms } from './build-programs.mjs'
import { checkout, inCheckout } from './checkout.mjs'
import { Refusal } from './refusal.mjs'
import { runCommand } from './run-command.mjs'
import { say, step } from './show-progress.mjs'
import { useDatabase } from './use-database.mjs'

/** @typedef {import('@meridian/embedded-postgres').Backup} Backup */
/** @typedef {typeof import('@meridian/embedded-postgres')} EmbeddedPostgres */
/** @typedef {{ embedded: EmbeddedPostgres, home: string, folder: string, scratch: string }} Desk */

/** Tables that no job, erasure or operator ever takes a row from: a restored backup has no fewer than were counted. */
export const countedTables = [
  ...['users', 'orders', 'order_attempts', 'order_events', 'second_payments', 'refunds'],
  ...['grants', 'subscriptions', 'operators', 'operator_changes', 'audit_entries', 'audit_chain'],
]

/** What proves a restored database, in this order: the first also brings one of an earlier release up to this one. */
const proofs = /** @type {const} */ ([
  { name: 'db:migrate', file: 'migrate' },
  { name: 'ledger:verify', file: 'verify-ledger' },
  { name: 'audit:verify', file: 'verify-audit' },
])

/** @typedef {(typeof proofs)[number]['file']} Proof */
/** @type {(proof: Proof) => string[]} */
const builtProof = (proof) => [inCheckout(`apps/api/dist/commands/${proof}.js`)]

/**
 * Runs each proof on a restored database.
 * @param {string} databaseUrl
 * @param {(proof: Proof) => string[]} [programOf] what Node runs
 * @throws Refusal with what the first one that fails has found
 */
export async function proveDatabase(databaseUrl, programOf = builtProof) {
  for (const { name, file } of proofs) {
    const { code, output } = await runCommand([process.execPath, ...programOf(file)], {
      cwd: checkout,
      env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: databaseUrl },
    })
    const [line = '', ...more] = output.trim().split('\n')
    const said = line.startsWith(`${name}: `) ? line : `${name}: ${line}`
    if (code !== 0) throw new Refusal(more.length === 0 ? said : `${said} (and ${more.length} lines more)`)
    say(`  ${said}`)
  }
}

/**
 * Restores a backup into a server of its own and proves it there.
 * @param {Desk} desk @param {Backup} backup
 * @throws Refusal with one line that says what does not hold
 */
export async function verifyBackup({ embedded, home, folder, scratch }, backup) {
  await buildPrograms(['@meridian/api'])
  try {
    const { tables, lastChangeAt } = await step(`Restoring ${backup.folder} below ${scratch}`, () =>
      embedded.verifyBackup({ home, folder, backup, scratch, prove: proveDatabase }),
    )
    if (backup.recorded === null)
      say('  It was made by an earlier release, which recorded nothing to compare.')
    const end = (lastChangeAt ?? backup.finishedAt).toISOString()
    say(`The backup is proved: ${tables} tables read, the last change is of ${end}.`)
  } catch (error) {
    const isFinding =
      error instanceof Refusal || (error instanceof Error && error.name === 'EmbeddedPostgresError')
    if (!isFinding) throw error
    throw new Refusal(`The backup ${backup.folder} was not proved: ${error.message}`)
  }
}

/**
 * Notes in the database, where there is one, when a backup was found whole.
 * @param {Desk} desk @param {Backup} backup
 */
export async function noteVerification({ embedded, home }, backup) {
  if (!existsSync(embedded.placesIn(home).cluster)) return
  const database = await useDatabase({})
  try {
    await embedded.recordVerification(database.databaseUrl, { ...backup, verifiedAt: new Date() })
  } finally {
    await database.stop()
  }
}
