import { openDatabase } from '@meridian/db'
import { applyErasures } from '../account/erase-account.ts'
import { readErasureSettings } from '../config.ts'
import { runCommand } from './run-command.ts'

await runCommand('erasures:apply', async () => {
  const { databaseUrl, file } = readErasureSettings(process.env)
  await using database = openDatabase(databaseUrl, { applicationName: 'meridian-erasures-apply' })
  const { listed, erased, unreadable } = await applyErasures(database.pool, file)
  process.stdout.write(`${listed} erasures listed, ${erased} people erased again.\n`)
  if (unreadable > 0) process.stdout.write(`${unreadable} lines of the list were cut off and left out.\n`)
})
