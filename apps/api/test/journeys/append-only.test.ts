import { readFile } from 'node:fs/promises'
import { appendOnlyTables, decidedTables, mayRewriteLedger } from '@meridian/db'
import { expect, test } from 'vitest'
import { verifyChain } from '../../src/audit/verify-chain.ts'
import { runCommand } from '../world/api-process.ts'
import { signedInConsole } from '../world/console.ts'
import { tamper } from '../world/tamper.ts'
import { openTestWorld, type TestWorld } from '../world/test-world.ts'

const insufficientPrivilege = { code: '42501' }

test('the API runs as a role that can neither rewrite what is append-only nor switch its triggers off', async () => {
  await using world = await openTestWorld()
  const { pool } = world.services.database
  expect(await mayRewriteLedger(pool)).toBe(false)
  const forbidden = [
    ...appendOnlyTables.flatMap((table) => [
      `UPDATE ${table} SET id = id`,
      `DELETE FROM ${table}`,
      `TRUNCATE ${table}`,
      `ALTER TABLE ${table} DISABLE TRIGGER USER`,
      `DROP TABLE ${table}`,
    ]),
    `INSERT INTO audit_chain VALUES (1, 1, sha256(''))`,
    'SET session_replication_role = replica',
    'DROP TRIGGER grants_append_only ON grants',
    'CREATE TABLE mine (id int)',
    'DELETE FROM _prisma_migrations',
  ]
  for (const statement of forbidden)
    await expect(pool.query(statement), statement).rejects.toMatchObject(insufficientPrivilege)
})

/** What each of these tables holds for good; of the others, who asked. */
const keptOf: Readonly<Record<string, string>> = {
  order_attempts: 'order_id',
  apple_inquiries: 'let_pass',
  notes: 'subject_id',
  note_mentions: 'note_id',
}

test('what was asked of a second person is decided, and never rewritten or taken away', async () => {
  await using world = await openTestWorld()
  const { pool } = world.services.database
  for (const [table, decided] of Object.entries(decidedTables)) {
    const columns = await world.query<{ name: string }>(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      [table],
    )
    const asked = columns.map(({ name }) => name).filter((name) => !decided.some((one) => one === name))
    expect(asked).toContain(keptOf[table] ?? 'requested_by')
    const forbidden = [
      ...asked.map((name) => `UPDATE ${table} SET ${name} = ${name}`),
      `DELETE FROM ${table}`,
      `TRUNCATE ${table}`,
    ]
    for (const statement of forbidden)
      await expect(pool.query(statement), statement).rejects.toMatchObject(insufficientPrivilege)
    const decisions = decided.map((name) => `${name} = ${name}`).join(', ')
    await expect(pool.query(`UPDATE ${table} SET ${decisions}`)).resolves.toMatchObject({ rowCount: 0 })
  }
})

async function withAudit(world: TestWorld): Promise<void> {
  const { console } = await signedInConsole(world, { email: 'owner@meridian.test' })
  await Promise.all(
    [1, 2, 3].map((n) =>
      console.view.save.mutate({ page: 'orders', name: `view ${n}`, query: '', everybody: false }),
    ),
  )
}

async function verifyAudit(world: TestWorld, ...args: string[]) {
  const { code, stdout: out } = await runCommand('verify-audit', {
    args,
    env: { DATABASE_URL: world.databaseUrl },
  })
  return { code, out, head: /head (\S+)/.exec(out)?.[1] ?? '' }
}

test('every act is one link of the chain, also when several commit at once', async () => {
  await using world = await openTestWorld()
  await withAudit(world)
  const [row] = await world.query<{ entries: number }>('SELECT count(*)::int AS entries FROM audit_entries')
  const report = await verifyChain(world.services.database.pool)
  expect(report).toMatchObject({ checked: row?.entries, breaks: [], unchained: 0 })
  expect(report.checked).toBeGreaterThan(3)
  const { code, out } = await verifyAudit(world)
  expect(code).toBe(0)
  expect(out).toContain(`${row?.entries} entries checked, 0 breaks`)
})

test.each([
  [
    'changed',
    `UPDATE audit_entries SET action = 'view.harmless' WHERE id = (SELECT min(id) + 1 FROM audit_entries)`,
  ],
  ['missing', 'DELETE FROM audit_entries WHERE id = (SELECT min(id) + 1 FROM audit_entries)'],
  ['gap', 'DELETE FROM audit_chain WHERE seq = 2'],
])('an entry that is %s afterwards is found', async (what, sql) => {
  await using world = await openTestWorld()
  await withAudit(world)
  await tamper(world, sql)
  const { code, out } = await verifyAudit(world)
  expect(code).toBe(1)
  expect(out).toContain(`: ${what}`)
})

test('an entry slipped in past the trigger, and an end that was cut off, are found', async () => {
  await using world = await openTestWorld()
  await withAudit(world)
  const { head } = await verifyAudit(world)
  expect((await verifyAudit(world, '--head', head)).code).toBe(0)
  await tamper(
    world,
    // The last link of the chain is of the entry that was committed last, which need not have the highest number.
    `DELETE FROM audit_entries WHERE id = (SELECT entry_id FROM audit_chain ORDER BY seq DESC LIMIT 1);
     DELETE FROM audit_chain WHERE seq = (SELECT max(seq) FROM audit_chain)`,
  )
  expect((await verifyAudit(world)).code).toBe(0)
  const cut = await verifyAudit(world, '--head', head)
  expect(cut.code).toBe(1)
  expect(cut.out).toContain('is not in the chain any more')
  await tamper(
    world,
    `INSERT INTO audit_entries (operator_id, action, subject_type, subject_id, address, request_id)
     SELECT operator_id, 'view.forged', 'view', 'x', '', '' FROM audit_entries LIMIT 1`,
  )
  expect((await verifyAudit(world)).out).toContain('1 entries without a link')
})

const migrations = new URL('../../../../packages/db/prisma/migrations/', import.meta.url)

test('entries written while the chain was laid get their links when the database is migrated', async () => {
  await using world = await openTestWorld()
  await withAudit(world)
  await tamper(
    world,
    `INSERT INTO audit_entries (operator_id, action, subject_type, subject_id, address, request_id)
     SELECT operator_id, 'view.saved', 'view', 'x' || n, '', '' FROM audit_entries, generate_series(1, 2) n LIMIT 2`,
  )
  expect((await verifyAudit(world)).out).toContain('2 entries without a link')
  const migration = new URL('20261122210000_chain_entries_of_the_meantime/migration.sql', migrations)
  await world.query(await readFile(migration, 'utf8'))
  expect(await verifyAudit(world)).toMatchObject({ code: 0 })
})
