import { openPool, type Pool } from '@meridian/db'
import { askOne } from '@meridian/embedded-postgres/testing'
import { runToEnd } from '../../e2e/support/start-process.ts'
import { newChance } from '../faults/chance.ts'
import { brokenInvariants, ledgerSays, untilHealed } from '../faults/check-outcome.ts'
import { newFigures, print } from '../faults/figures.ts'
import { askPlatform, judge } from '../faults/judge.ts'
import { openWorld, type World } from '../faults/open-world.ts'
import { type Books, lostIn, readBooks } from './books.ts'
import { config } from './config.ts'
import { findPrograms, type Programs } from './find-programs.ts'
import { eraseAgain, heal, moveToBill } from './heal.ts'
import { archiveEverything, loseRepository, openServer, type Server } from './open-server.ts'
import { calm, goShopping, orderInTime, payTooLate } from './phases.ts'
import { newReport, type Report } from './report.ts'
import { type Moment, restoreLatest, restoreMoment } from './restore.ts'

type Drill = { world: World<Server>; report: Report }
type Lost = { acknowledged: Books; moment: Moment; destroyedAt: Date }

async function withPool<T>({ database }: World<Server>, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = openPool(database.databaseUrl, { applicationName: 'restore-drill', maxConnections: 2 })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** Waits until what was paid is paid here too. */
async function settle({ world, report }: Drill, when: string): Promise<void> {
  const wanted = { sandboxUrl: world.sandboxUrl, withinMinutes: config.healMinutes }
  const { findings } = await withPool(world, (pool) => untilHealed(pool, wanted))
  for (const finding of findings) report.expect(false, `${when}: ${finding}`)
}

/** A shop at work: a full backup, an incremental one, log after it, and payments that reach no archive. */
async function workAndBackUp(drill: Drill): Promise<Lost> {
  const { world, report } = drill
  const { database: server } = world
  const { backups } = server
  const visit = { world, chance: newChance(config.seed), figures: newFigures() }
  await backups.run('stanza-create')
  await report.timed('check', () => backups.run('check'))
  await goShopping(visit)
  await report.timed('full backup', () => backups.run('backup', '--type=full'))
  await goShopping(visit)
  await report.timed('incremental backup', () => backups.run('backup', '--type=incr'))
  await goShopping(visit)
  await settle(drill, 'before the loss')
  const moment = { books: await readBooks(server.databaseUrl), at: new Date() }
  const ordered = await orderInTime(visit)
  await archiveEverything(server)
  await loseRepository(server)
  await payTooLate(visit, ordered)
  await settle(drill, 'before the loss')
  await ordered[0]?.deleteAccount()
  const acknowledged = await readBooks(server.databaseUrl)
  report.note('orders before the loss', `${acknowledged.orders}, ${acknowledged.paid.size} of them paid`)
  return { acknowledged, moment, destroyedAt: new Date() }
}

async function measureLoss({ world, report }: Drill, { acknowledged, destroyedAt }: Lost, end: Date) {
  const books = await readBooks(world.database.databaseUrl)
  const lost = lostIn(books, acknowledged)
  report.note(
    'log lost before healing, in seconds',
    Math.round((destroyedAt.getTime() - end.getTime()) / 1000),
  )
  report.note('acknowledged payments lost before healing', lost.length)
  report.note('of those, whole orders', acknowledged.orders - books.orders)
  // A drill that loses nothing proves nothing.
  report.expect(lost.length >= config.lateOrders * 2, `only ${lost.length} payments were lost by the restore`)
}

/** The books against the platform, and everything that checks itself. */
async function inspect({ world, report }: Drill, acknowledged: Books): Promise<void> {
  const lost = lostIn(await readBooks(world.database.databaseUrl), acknowledged)
  report.note('acknowledged payments lost after healing', lost.length)
  for (const no of lost) report.expect(false, `${no} was acknowledged and is not paid`)
  await withPool(world, async (pool) => {
    const { findings, payments } = await judge(pool, await askPlatform(world.sandboxUrl))
    for (const finding of findings) report.expect(false, finding)
    report.note('payments on the platform', payments)
    for (const broken of await brokenInvariants(pool)) report.expect(false, broken)
  })
  const ledger = await ledgerSays(world)
  report.note('ledger:verify', ledger.text)
  report.expect(ledger.isClean, `ledger:verify: ${ledger.text}`)
  const audit = await runToEnd('apps/api/dist/commands/verify-audit.js', { env: world.environment })
  report.expect(/ 0 breaks/.test(audit), `audit:verify: ${audit}`)
}

/**
 * As docs/backups.md says: heal, erase again, start, and heal once more when the platform has written its bill. Healed first:
 * nothing can be asked about the payments of somebody who is erased.
 */
async function healEverything({ world, report }: Drill, end: Date): Promise<void> {
  const first = await report.timed('db:heal', () => heal(world.environment, end))
  report.note('healed by asking about unpaid orders', first.paid)
  const erased = await eraseAgain(world.environment)
  report.note('people erased again', erased)
  report.expect(erased === 1, `${erased} people were erased again, and one had deleted the account`)
  for (const replica of world.replicas) await replica.killAndStart()
  await report.timed('the next day', () => moveToBill(world.sandboxUrl))
  const second = await report.timed('db:heal after the bill', () => heal(world.environment, end))
  report.note('orders made again from the bill', second.recreated)
}

async function drill(programs: Programs, report: Report): Promise<void> {
  await using world = await openWorld({
    chance: calm,
    figures: newFigures(),
    open: (folder) => openServer(folder, programs),
  })
  const { database: server } = world
  report.note('PostgreSQL', String(await askOne(server.databaseUrl, 'SHOW server_version')))
  const lost = await workAndBackUp({ world, report })
  await server.destroy()
  for (const replica of world.replicas) await replica.stop()
  await restoreMoment(server, lost.moment, report)
  const end = await restoreLatest(server, report)
  await measureLoss({ world, report }, lost, end)
  await healEverything({ world, report }, end)
  await inspect({ world, report }, lost.acknowledged)
  await report.timed('full backup after the restore', () => server.backups.run('backup', '--type=full'))
  await server.backups.run('check')
}

const found = findPrograms(config)
if (Array.isArray(found)) {
  for (const program of found) console.log(`✖ ${program} is missing`)
  console.log('✖ the restore drill was not done')
  process.exitCode = 2
} else {
  const report = newReport()
  console.log(`Restore drill, chance starts from ${config.seed}`)
  await drill(found, report)
  print(report.figures)
  for (const finding of report.findings.slice(0, 50)) console.log(`✖ ${finding}`)
  const isClean = report.findings.length === 0
  console.log(
    isClean ? '✔ every acknowledged payment is there again' : `✖ ${report.findings.length} findings`,
  )
  process.exitCode = isClean ? 0 : 1
}
