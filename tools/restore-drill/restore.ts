import { askOne } from '@meridian/embedded-postgres/testing'
import { runToEnd } from '../../e2e/support/start-process.ts'
import { type Books, readBooks } from './books.ts'
import type { Server } from './open-server.ts'
import type { Report } from './report.ts'

export type Moment = { at: Date; books: Books }

/** Restores a moment into a data directory of its own, beside the lost one, and looks whether it is that moment. */
export async function restoreMoment(server: Server, { at, books }: Moment, report: Report): Promise<void> {
  const copy = await server.beside()
  try {
    await report.timed('restore a moment beside', async () => {
      await server.backups.run(
        'restore',
        `--pg1-path=${copy.dataFolder}`,
        '--type=time',
        `--target=${at.toISOString().replace('T', ' ').replace('Z', '+00')}`,
        '--target-action=promote',
        '--archive-mode=off',
      )
      await copy.start()
    })
    const found = await readBooks(copy.databaseUrl)
    const asOf = ({ orders, paid }: Books) => `${orders} orders, ${paid.size} paid`
    report.expect(asOf(found) === asOf(books), `the moment had ${asOf(books)}, its copy has ${asOf(found)}`)
    const ledger = await runToEnd('apps/api/dist/commands/verify-ledger.js', {
      env: { DATABASE_URL: copy.databaseUrl },
    })
    report.expect(/ 0 differ/.test(ledger), `ledger:verify of the moment: ${ledger}`)
    report.note('orders at the moment', `${found.orders}, ${found.paid.size} of them paid`)
  } finally {
    await copy.remove()
  }
}

/** Restores everything that the repository has into the lost data directory; answers the last change that is there. */
export async function restoreLatest(server: Server, report: Report): Promise<Date> {
  await report.timed('restore latest', () => server.backups.run('restore'))
  await report.timed('replay the log and start', server.start)
  return new Date(String(await askOne(server.databaseUrl, 'SELECT pg_last_xact_replay_timestamp()')))
}
