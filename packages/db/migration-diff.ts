import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { startThrowawayServer } from '@meridian/embedded-postgres/testing'
import { diffSchemas } from './src/schema-drift.ts'

const usage = 'Usage: npm run migration:diff -w @meridian/db -- [--empty | --from <git revision>]'
const schemaFile = new URL('prisma/schema.prisma', import.meta.url)

function committedSchema(revision: string): string {
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const
  return execFileSync('git', ['show', `${revision}:./prisma/schema.prisma`], options)
}

function startingPoint([flag, revision]: string[]): string | null {
  if (flag === '--empty') return null
  if (flag === '--from' && revision !== undefined) return committedSchema(revision)
  if (flag === undefined) return committedSchema('HEAD')
  throw new Error(usage)
}

const from = startingPoint(process.argv.slice(2))
const to = readFileSync(schemaFile, 'utf8')
const server = await startThrowawayServer()
try {
  process.stdout.write(await diffSchemas(server.databaseUrl, { from, to }))
} finally {
  await server.stop()
}
