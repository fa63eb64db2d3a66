import { openDatabase } from '@meridian/db'
import { readEnvironment } from '@meridian/process/read-environment'
import { readDatabaseUrl } from '../config.ts'
import { findForeignGrants, verifyLedger } from '../subscriptions/verify-ledger.ts'
import { runCommand } from './run-command.ts'

await runCommand('ledger:verify', async () => {
  await using database = openDatabase(readDatabaseUrl(process.env), {
    applicationName: 'meridian-ledger-verify',
    statementTimeoutMs: 3_600_000,
  })
  const { checked, differences } = await verifyLedger(database.pool)
  const settings = readEnvironment(process.env).environment
  const baseUrl = settings['WECHAT_PAY_BASE_URL'] ?? 'https://api.mch.weixin.qq.com'
  const apiUrl = settings['WECHAT_API_BASE_URL'] ?? 'https://api.weixin.qq.com'
  const virtualHost = `${new URL(apiUrl).host}/${settings['WECHAT_VIRTUAL_ENV'] ?? '0'}`
  const foreign = await findForeignGrants(database.pool, [new URL(baseUrl).host, virtualHost])
  for (const { userId, what } of [...differences, ...foreign]) process.stdout.write(`${userId}: ${what}\n`)
  process.stdout.write(
    `${checked} subscriptions checked, ${differences.length} differ, ${foreign.length} grants of another platform\n`,
  )
  if (differences.length > 0) process.exitCode = 1
})
