import { spawnProgram } from '@meridian/process'
import { expect, test } from 'vitest'
import { programFile, runCommand } from '../world/api-process.ts'
import { useSubscriberFiles } from '../world/subscriber-files.ts'
import { environmentFor } from '../world/test-world.ts'
import { useTestWorld } from '../world/use-opened.ts'

const deep = process.env['MERIDIAN_DEEP'] === '1'
const lines = deep ? 100_000 : 5_000
const few = 100

const world = useTestWorld()
const subscribers = useSubscriberFiles()

/** A program that says at its end how many KiB of memory it ever had. */
const tellsMost = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => process.stderr.write('most=' + process.resourceUsage().maxRSS))`,
)}`
const environment = () => ({
  PATH: process.env['PATH'] ?? '',
  ...environmentFor(world.databaseUrl, 0),
  NODE_OPTIONS: `--import=${tellsMost}`,
})
const command = async (name: string, ...args: string[]) => {
  const { code, stdout, stderr } = await runCommand(name, { args, env: environment() })
  expect(code, `${stdout}${stderr}`).toBe(0)
  return {
    said: stdout.trim().replace(/^import \S+/m, 'import'),
    kib: Number(/most=(\d+)$/.exec(stderr)?.[1]),
  }
}
const asked = (file: string) => ['--file', file, '--kind', 'subscribers']

const whatIsKept = async () => {
  const [row] = await world.query(
    `SELECT (SELECT count(*)::int FROM users) AS users, (SELECT count(*)::int FROM grants) AS grants,
      (SELECT count(*)::int FROM subscriptions WHERE expires_at > business_now()) AS active,
      (SELECT count(*)::int FROM import_lines) AS lines, (SELECT count(*)::int FROM import_rows) AS rows`,
  )
  return row
}
const progress = async () => {
  const [open] = await world.query<{ id: string; written: number }>(
    `SELECT id::text AS id, written FROM imports WHERE NOT dry_run AND lines = ${lines} ORDER BY created_at DESC LIMIT 1`,
  )
  return open
}

/** Ends the program as a power cut does, once it has written more than so many lines. */
async function killedAfter(file: string, written: number): Promise<number> {
  const program = spawnProgram({
    command: [programFile('commands/import-file'), ...asked(file)],
    env: environment(),
  })
  await expect.poll(async () => (await progress())?.written ?? 0, { interval: 20 }).toBeGreaterThan(written)
  await program.kill()
  return (await progress())?.written ?? 0
}

test('a file that is killed half-way twice and imported twice gives one ledger in 64 MiB; undone, it leaves nothing', {
  timeout: 1_800_000,
}, async () => {
  const file = await subscribers('large', lines)
  const base = await command('import-file', ...asked(await subscribers('small', few)))
  const before = await whatIsKept()
  const dry = await command('import-file', ...asked(file), '--dry-run')
  const sums = `${lines} lines, ${lines * 0.9} users, ${lines * 30} days, 0 fen`
  expect(dry.said).toBe(`import checked: ${sums}`)
  expect(await whatIsKept()).toEqual(before)

  const first = await killedAfter(file, 0)
  const second = await killedAfter(file, first)
  expect(second).toBeLessThan(lines)
  const run = await command('import-file', ...asked(file))
  expect(run.said).toBe(`import done: ${sums}`)
  const done = await progress()
  const after = await whatIsKept()
  expect(after).toEqual({
    users: few * 0.9 + lines * 0.9,
    grants: few + lines,
    active: few * 0.9 + lines * 0.9,
    lines: few + lines,
    rows: 0,
  })
  const again = await command('import-file', ...asked(file))
  expect(again.said).toBe(`import done: ${lines} lines, 0 users, 0 days, 0 fen`)
  expect(await whatIsKept()).toEqual(after)
  expect((await command('verify-ledger')).said).toContain(' 0 differ, 0 grants of another platform')

  const undone = await command('import-file', '--undo', done?.id ?? '')
  expect(undone.said).toBe(`import ${lines} lines taken back.`)
  expect(await whatIsKept()).toMatchObject({ active: few * 0.9, lines: few, rows: 0 })
  await command('verify-ledger')
  for (const { kib } of [dry, run, again, undone]) expect((kib - base.kib) / 1024).toBeLessThan(64)
  if (deep)
    process.stdout.write(`MiB: ${[base, dry, run, again, undone].map(({ kib }) => kib / 1024).join(' ')}\n`)
})
