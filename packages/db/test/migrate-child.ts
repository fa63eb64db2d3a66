import { readFileSync } from 'node:fs'
import { migrate } from '../src/index.ts'

// A process that migrates, to be killed: the address, and a file with the migrations.
const [databaseUrl = '', file = ''] = process.argv.slice(2)
await migrate(databaseUrl, { migrations: JSON.parse(readFileSync(file, 'utf8')), onProgress: console.log })
