import { parseArgs } from 'node:util'
import { openDatabase } from '@meridian/db'
import { readEnvironment } from '@meridian/process/read-environment'
import { z } from 'zod'
import { ConfigError, readDatabaseUrl } from '../config.ts'
import { findForeignGrants, type LedgerProgress, verifyLedger } from '../subscriptions/verify-ledger.ts'
import { runCommand } from './run-command.ts'

const UserId = z.uuid()
const toldEvery = 100_000

function readAfter(text: string | undefined): string | null {
  if (text === undefined) return null
  const after = UserId.safeParse(text)
  if (!after.success) throw new ConfigError(['--after must be a user id, as an earlier run named it'])
  return after.data
}

/** One line in each hundred thousand subscriptions, so that a run that was stopped can go on behind the last. */
function tellProgress({ checked, lastUserId }: LedgerProgress, before: number): void {
  if (Math.floor(checked / toldEvery) > Math.floor(before / toldEvery))
    process.stderr.write(
      `${checked} subscriptions checked so far; to go on from here: --after ${lastUserId}\n`,
    )
}

await runCommand('ledger:verify', async () => {
  const { values } = parseArgs({ options: { after: { type: 'string' } } })
  const after = readAfter(values.after)
  await using database = openDatabase(readDatabaseUrl(process.env), {
    applicationName: 'meridian-ledger-verify',
    statementTimeoutMs: 3_600_000,
  })
  let before = 0
  const { checked, differences } = await verifyLedger(database.pool, {
    after,
    tell: (progress) => {
      for (const { userId, what } of progress.differences) process.stdout.write(`${userId}: ${what}\n`)
      tellProgress(progress, before)
      before = progress.checked
    },
  })
  const settings = readEnvironment(process.env).environment
  const baseUrl = settings['WECHAT_PAY_BASE_URL'] ?? 'https://api.mch.weixin.qq.com'
  const apiUrl = settings['WECHAT_API_BASE_URL'] ?? 'https://api.weixin.qq.com'
  const virtualHost = `${new URL(apiUrl).host}/${settings['WECHAT_VIRTUAL_ENV'] ?? '0'}`
  const foreign = await findForeignGrants(database.pool, [new URL(baseUrl).host, virtualHost])
  for (const { userId, what } of foreign) process.stdout.write(`${userId}: ${what}\n`)
  process.stdout.write(
    `${checked} subscriptions checked, ${differences.length} differ, ${foreign.length} grants of another platform\n`,
  )
  if (differences.length > 0) process.exitCode = 1
})
