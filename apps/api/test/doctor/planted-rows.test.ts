import { expect, test } from 'vitest'
import { type ExpectedFault, expectFault, faultsOf, openDoctoredWorld } from '../world/doctored-world.ts'
import { tamper } from '../world/tamper.ts'
import { useOpened } from '../world/use-opened.ts'

const doctored = useOpened(openDoctoredWorld)

type PlantedRows = ExpectedFault & { plant: string; undo: string }

const faults: [string, PlantedRows][] = [
  [
    'a migration that was not applied',
    {
      plant: `UPDATE _prisma_migrations SET finished_at = NULL
        WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`,
      undo: `UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL`,
      about: 'migrations',
      says: /^1 not applied/,
      mend: /^npm run db:migrate$/,
    },
  ],
  [
    'one owner only',
    {
      plant: `UPDATE operators SET disabled_at = business_now() WHERE email = 'second@example.com'`,
      undo: `UPDATE operators SET disabled_at = NULL WHERE email = 'second@example.com'`,
      about: 'owners',
      says: /^there is one owner only/,
      mend: /^npm run operator:create -- --email … --role owner$/,
    },
  ],
  [
    'an owner with the first password',
    {
      plant: `UPDATE operators SET must_change_password = true WHERE email = 'second@example.com'`,
      undo: `UPDATE operators SET must_change_password = false WHERE email = 'second@example.com'`,
      about: 'owners',
      says: /^1 of them with their first password/,
      mend: /^sign in once/,
    },
  ],
  [
    'a backup that is two days old',
    {
      plant: `UPDATE backups SET finished_at = business_now() - interval '2 days'`,
      undo: `UPDATE backups SET finished_at = business_now()`,
      about: 'backups',
      says: /^the newest is 48 hours old/,
      mend: /^npm run db:backup -- --verify, daily/,
    },
  ],
  [
    'a channel that fails',
    {
      plant: `UPDATE alert_channels SET failures = 3, last_error = 'answers 500'`,
      undo: `UPDATE alert_channels SET failures = 0`,
      about: 'alarms',
      says: /fails: answers 500/,
      mend: /--test-alarms$/,
    },
  ],
  [
    'a merchant certificate that ends in three days',
    {
      plant: `UPDATE merchant_certificates SET expires_on = business_now() + interval '3 days'`,
      undo: `UPDATE merchant_certificates SET expires_on = business_now() + interval '1 year'`,
      about: 'certificates of the merchant account',
      says: /^the merchant certificate ends in [23] days/,
      mend: /^docs\/rotating-keys\.md/,
    },
  ],
  [
    'an open critical alert',
    {
      plant: `INSERT INTO alerts (kind, subject) VALUES ('payment_mismatch', 'doctored')`,
      undo: `DELETE FROM alerts WHERE subject = 'doctored'`,
      about: 'open alerts',
      says: /^1 of payment_mismatch/,
      mend: /docs\/runbook\/payment_mismatch\.md$/,
    },
  ],
  [
    'a job that gave up',
    {
      plant: `SELECT graphile_worker.add_job('forget_old', job_key := 'doctored', max_attempts := 1);
        UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE key = 'doctored'`,
      undo: `DELETE FROM graphile_worker._private_jobs WHERE key = 'doctored'`,
      about: 'jobs',
      says: /^1 of forget_old gave up/,
      mend: /^console, Jobs/,
    },
  ],
]

test.each(faults)('finds %s, and says what mends it', async (_what, { plant, undo, ...fault }) => {
  await tamper(doctored.world, plant)
  const findings = await doctored.examine()
  await tamper(doctored.world, undo)
  expectFault(findings, fault)
  expect(faultsOf(findings).map(({ about }) => about)).toEqual([fault.about])
  expect(faultsOf(await doctored.examine())).toEqual([])
})

test('finds a channel that refuses the test, and who took it once it is mended', async () => {
  doctored.robot.feel('fails')
  expectFault(await doctored.examine({}, { testAlarms: true }), {
    about: 'alarms',
    says: /did not take a test: .*500/,
    mend: /ALERT_CHANNELS/,
  })
  doctored.robot.feel('well')
  await doctored.examine({}, { testAlarms: true })
  expect(faultsOf(await doctored.examine())).toEqual([])
})

test('finds that no worker lives', async () => {
  await doctored.examine()
  await doctored.world.passTime({ seconds: 90 })
  const findings = await doctored.examine({}, { withoutWorkers: true })
  expectFault(findings, { about: 'workers', says: /^no worker/, mend: /^npm run worker/ })
})
