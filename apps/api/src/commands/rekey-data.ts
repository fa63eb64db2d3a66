import { openDatabase } from '@meridian/db'
import { readDataKeys } from '../config.ts'
import { rekeyColumn } from '../platform/crypto/data-keys.ts'
import { sealedColumns } from '../startup/start-checks.ts'
import { runCommand } from './run-command.ts'

await runCommand('data:rekey', async () => {
  const { databaseUrl, dataKeys } = readDataKeys(process.env)
  await using database = openDatabase(databaseUrl, { applicationName: 'meridian-data-rekey' })
  for (const column of sealedColumns) {
    const count = await rekeyColumn(database.pool, dataKeys, column)
    process.stdout.write(`${column.what}: ${count} sealed again under the newest key\n`)
  }
  process.stdout.write('DATA_KEY may now hold the newest key alone.\n')
})
