import { parseArgs } from 'node:util'
import { openDatabase } from '@meridian/db'
import { type ChainHead, hasHead, verifyChain } from '../audit/verify-chain.ts'
import { ConfigError, readDatabaseUrl } from '../config.ts'
import { runCommand } from './run-command.ts'

function readHead(text: string | undefined): ChainHead | null {
  if (text === undefined) return null
  const [, seq = '', hash = ''] = /^(\d{1,18}):([0-9a-f]{64})$/.exec(text) ?? []
  if (!hash) throw new ConfigError(['--head must be NUMBER:HASH as an earlier run printed it'])
  return { seq: BigInt(seq), hash }
}

await runCommand('audit:verify', async () => {
  const { values } = parseArgs({ options: { head: { type: 'string' } } })
  const noted = readHead(values.head)
  await using database = openDatabase(readDatabaseUrl(process.env), {
    applicationName: 'meridian-audit-verify',
    statementTimeoutMs: 3_600_000,
  })
  const { checked, head, breaks, unchained } = await verifyChain(database.pool)
  const cut = noted !== null && !(await hasHead(database.pool, noted))
  for (const { seq, entryId, what } of breaks)
    process.stdout.write(`link ${seq}, entry ${entryId}: ${what}\n`)
  if (unchained > 0) process.stdout.write(`${unchained} entries without a link\n`)
  if (cut) process.stdout.write(`the head ${values.head} is not in the chain any more\n`)
  process.stdout.write(`${checked} entries checked, ${breaks.length} breaks\n`)
  if (head) process.stdout.write(`head ${head.seq}:${head.hash}\n`)
  if (breaks.length > 0 || unchained > 0 || cut) process.exitCode = 1
})
