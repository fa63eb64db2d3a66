import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startThrowawayServer } from '@meridian/embedded-postgres/testing'
import { judgeNewest, newMigration } from './new-migration.ts'

const usage = 'Usage: npm run migrate:new -- <name in snake_case> [--from <git revision>]'

function readArguments(): { name: string; from?: string | undefined } {
  const { values, positionals } = parseArgs({
    options: { from: { type: 'string' } },
    allowPositionals: true,
  })
  const [name, ...others] = positionals
  if (name === undefined || others.length > 0) throw new Error(usage)
  return { name, ...values }
}

try {
  const { name, from } = readArguments()
  const server = await startThrowawayServer()
  try {
    const prismaFolder = join(import.meta.dirname, '../prisma')
    const asked = { prismaFolder, name, now: new Date(), ...(from !== undefined && { from }) }
    console.log(`Written: ${await newMigration(server.databaseUrl, asked)}`)
    for (const line of await judgeNewest(prismaFolder)) console.log(`To be rewritten: ${line}`)
  } finally {
    await server.stop()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
