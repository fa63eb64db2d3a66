import { parseArgs } from 'node:util'
import { systemRuntime } from '@meridian/payments'
import { readConfig } from '../config.ts'
import { healLostTime } from '../doors/jobs/catch-up-with-platform.ts'
import { openLog } from '../platform/log.ts'
import { closeServices, openServices } from '../services.ts'
import { checkClock } from '../startup/start-checks.ts'
import { runCommand } from './run-command.ts'

const usage = 'usage: npm run db:heal -- --from 2026-11-21T10:30:00Z'

await runCommand('db:heal', async () => {
  const { values } = parseArgs({ options: { from: { type: 'string' } }, args: process.argv.slice(2) })
  const from = new Date(values.from ?? Number.NaN)
  if (Number.isNaN(from.getTime())) throw new Error(usage)
  const services = openServices(readConfig(process.env), openLog('warn'), systemRuntime)
  try {
    await checkClock(services, () => undefined)
    const { asked, paid, closed, failed, recreated, unexplained, withoutBill, unavailable } =
      await healLostTime(services, from)
    process.stdout.write(
      `${asked} unpaid orders asked about: ${paid} paid, ${closed} closed, ${failed} could not be asked.\n` +
        `${recreated} orders that only the platform knew were made again and paid.\n`,
    )
    for (const outTradeNo of unexplained)
      process.stdout.write(
        `${outTradeNo}: paid, but no single plan has its price; see the reconciliation desk.\n`,
      )
    for (const day of withoutBill)
      process.stdout.write(`${day}: no bill yet; repeat this command after 10:30 (China) of the next day.\n`)
    for (const day of unavailable)
      process.stdout.write(`${day}: its bill could not be had; repeat this command.\n`)
    if (failed + unavailable.length > 0) process.exitCode = 1
  } finally {
    await closeServices(services)
  }
})
