import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { tsImport } from 'tsx/esm/api'
import { checkout } from './checkout.mjs'
import { hasDatabase, readSettings } from './read-settings.mjs'
import { Refusal } from './refusal.mjs'
import { say, step } from './show-progress.mjs'
import { useDatabase } from './use-database.mjs'
import { countedTables, noteVerification, verifyBackup } from './verify-backup.mjs'

const options = /** @type {const} */ ({
  folder: { type: 'string' },
  to: { type: 'string' },
  verify: { type: 'boolean', default: false },
  scratch: { type: 'string' },
  keep: { type: 'string' },
})

/** @param {string[]} args */
async function openDesk(args) {
  if (hasDatabase(readSettings()))
    throw new Refusal(
      'DATABASE_URL is set: back that server up with its own tools (docs/backups.md has them for pgBackRest).',
    )
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  if (positionals.length > (values.verify ? 1 : 0))
    throw new Refusal(`${positionals.at(-1)} is not understood: see docs/backups.md.`)
  /** @type {typeof import('@meridian/embedded-postgres')} */
  const embedded = await tsImport('@meridian/embedded-postgres', import.meta.url)
  const home = embedded.chooseHome(checkout)
  const folder = values.folder === undefined ? join(home, 'backups') : resolve(values.folder)
  const keep = values.keep === undefined ? null : Number(values.keep)
  if (keep !== null && !(Number.isSafeInteger(keep) && keep > 0))
    throw new Refusal('--keep must be how many backups are kept, 1 or more.')
  const scratch = values.scratch === undefined ? home : resolve(values.scratch)
  return {
    embedded,
    home,
    folder,
    scratch,
    keep,
    to: values.to,
    verify: values.verify,
    existing: positionals[0],
  }
}

/** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
async function refusing(work) {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Error && error.name === 'EmbeddedPostgresError') throw new Refusal(error.message)
    throw error
  }
}

/** @param {number} bytes */
const megabytes = (bytes) => `${Math.round(bytes / 1024 / 1024)} MB`

/**
 * `npm run db:backup`: a base backup of the embedded database, while it works. `--verify` restores it afterwards and proves
 * it; `--verify latest`, or a folder below `base`, proves one that is there and takes none; `--keep 7` then removes what is older than the seven newest.
 * @param {string[]} args
 */
export async function backUpDatabase(args) {
  const desk = await openDesk(args)
  const backup = desk.existing === undefined ? await takeBackup(desk) : findBackup(desk, desk.existing)
  if (desk.verify) {
    await verifyBackup(desk, backup)
    await noteVerification(desk, backup)
  }
  if (desk.keep !== null) prune(desk, desk.keep)
  return 0
}

/** @typedef {Awaited<ReturnType<typeof openDesk>>} Desk */

/** @param {Desk} desk */
async function takeBackup({ embedded, folder }) {
  const database = await useDatabase(readSettings())
  try {
    const backup = await step(`Backing up into ${folder}`, () =>
      refusing(() => embedded.backUp(database.databaseUrl, { folder, countedTables })),
    )
    say(`${backup.folder}: ${megabytes(backup.bytes)}. Every change from now on is archived beside it.`)
    return backup
  } finally {
    await database.stop()
  }
}

/** Only after everything else went well. @param {Desk} desk @param {number} keep */
function prune({ embedded, folder }, keep) {
  const { backups, pieces } = embedded.pruneBackups(folder, keep)
  say(`Removed ${backups.length} older backups and ${pieces} pieces of the log that only they needed.`)
}

/** @param {Desk} desk @param {string} name `latest`, or the folder of one */
function findBackup({ embedded, folder }, name) {
  const backups = embedded.listBackups(folder)
  const found =
    name === 'latest' ? backups.at(-1) : backups.find((one) => basename(one.folder) === basename(name))
  if (found === undefined)
    throw new Refusal(
      `There is no finished backup ${name === 'latest' ? '' : `${basename(name)} `}in ${folder}.`,
    )
  return found
}

/** Whoever was erased after the backup is erased again before anybody can look. */
async function eraseAgain() {
  const { programs, runProgram } = await import('./run-program.mjs')
  const program = programs['erasures:apply']
  const code = program === undefined ? 1 : ((await runProgram(program, [])) ?? 0)
  if (code !== 0) say('Erased people may be back: run npm run erasures:apply before you start Meridian.')
  return code
}

/** `npm run db:restore`: the embedded database as it was at a moment. @param {string[]} args */
export async function restoreDatabase(args) {
  const { embedded, home, folder, to } = await openDesk(args)
  const moment = to === undefined || to === 'latest' ? null : new Date(to)
  if (moment !== null && Number.isNaN(moment.getTime()))
    throw new Refusal('--to must be a moment such as 2026-11-21T10:30:00Z, or "latest".')
  const { backup, lastChangeAt, replaced } = await step('Restoring the database', () =>
    refusing(() => embedded.restoreBackup({ home, folder, to: moment })),
  )
  const end = (lastChangeAt ?? backup.finishedAt).toISOString()
  say(`From ${backup.folder}, rolled forward to ${end}.`)
  if (replaced !== null) say(`What was there before lies in ${replaced}.`)
  const code = await eraseAgain()
  if (code !== 0) return code
  say(`What the platform knows of the time after it: npm run db:heal -- --from ${end}`)
  return 0
}
