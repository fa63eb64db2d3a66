import { spawn } from 'node:child_process'
import { leaveSignalsToTheProgram } from './interruption.mjs'
import { readSettings } from './read-settings.mjs'
import { say } from './show-progress.mjs'
import { useDatabase } from './use-database.mjs'

/**
 * `npm run psql`: psql on the database that the programs of this checkout use, as their own user, who cannot rewrite what
 * is append-only; `--owner` is the owner of the tables. Everything else is psql's.
 * @param {string[]} args
 */
export async function openPsql(args) {
  const database = await useDatabase(readSettings())
  try {
    const asOwner = args.includes('--owner')
    const { address, password } = withoutPassword(asOwner ? database.databaseUrl : database.runtimeUrl)
    say(`psql ${address}`)
    const code = await runPsql([...args.filter((word) => word !== '--owner'), address], password)
    if (code !== null) return code
    say(
      `There is no psql on the PATH (Debian: apt-get install postgresql-client). The database is ${address}`,
    )
    return 1
  } finally {
    await database.stop()
  }
}

/** @param {string} url */
export function withoutPassword(url) {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  return { address: address.href, password }
}

/**
 * In our own process group, so that the terminal and its Ctrl-C are psql's; the password is in no list of processes.
 * @param {string[]} args
 * @param {string} password
 * @returns {Promise<number | null>} its exit code; null where there is no psql
 */
function runPsql(args, password) {
  leaveSignalsToTheProgram()
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  return new Promise((resolve, reject) => {
    const env = password === '' ? process.env : { ...process.env, PGPASSWORD: password }
    const child = spawn('psql', args, { stdio: 'inherit', env })
    child.once('error', (error) =>
      'code' in error && error.code === 'ENOENT' ? resolve(null) : reject(error),
    )
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
