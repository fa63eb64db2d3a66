import { DiagnosisDraftContent, MessageTemplate, validateDiagnosis } from '@meridian/contracts'
import { sampleDiagnosis, sampleTemplates } from '@meridian/db'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { runCommand } from '../world/api-process.ts'
import { hire, openConsole } from '../world/console.ts'
import { tamper } from '../world/tamper.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

type Run = { input?: string; environment?: Record<string, string> }

/** Runs a command as a program of its own that knows the database and nothing else. */
const command = (name: string, args: string[] = [], { environment, ...input }: Run = {}) =>
  runCommand(name, { args, env: environment ?? { DATABASE_URL: world.databaseUrl }, ...input })

const createOperator = (...args: string[]) => command('create-operator', args)

test('operator:create makes an operator and prints a first password that opens the console and must be changed', async () => {
  const made = await createOperator('--email', 'Owner@Example.com', '--role', 'owner')
  expect(made).toMatchObject({ code: 0, stderr: '' })
  const password = /: (\S{23})\n$/.exec(made.stdout)?.[1] ?? ''
  const { operator } = await openConsole(world).operator.signIn.mutate({
    email: 'owner@example.com',
    password,
  })
  expect(operator).toMatchObject({ email: 'owner@example.com', role: 'owner', mustChangePassword: true })
  const [row] = await world.query<{ row: string; hours: number }>(
    `SELECT o::text AS row, round(extract(epoch FROM password_expires_at - now()) / 3600)::int AS hours
     FROM operators o WHERE email = 'owner@example.com'`,
  )
  expect(row?.hours).toBe(24)
  expect(row?.row).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  expect(row?.row).not.toContain(password)
})

test('operator:create refuses an address that is taken and changes nothing', async () => {
  await hire(world, { email: 'twice@example.com', role: 'viewer' })
  const before = await world.query(
    `SELECT password_hash, role FROM operators WHERE email = 'twice@example.com'`,
  )
  const again = await createOperator('--email', 'TWICE@example.com', '--role', 'owner')
  expect(again).toEqual({
    code: 1,
    stdout: '',
    stderr: 'operator:create: there is already an operator twice@example.com\n',
  })
  expect(
    await world.query(`SELECT password_hash, role FROM operators WHERE email = 'twice@example.com'`),
  ).toEqual(before)
})

test('operator:create --if-missing leaves an operator alone and never names a password that is not theirs', async () => {
  await hire(world, { email: 'kept@example.com', role: 'finance' })
  const again = await createOperator('--email', 'kept@example.com', '--role', 'finance', '--if-missing')
  expect(again).toEqual({ code: 0, stdout: 'There is already an operator kept@example.com.\n', stderr: '' })
})

test('operator:create takes a password from stdin and never prints it', async () => {
  const password = 'a password typed elsewhere'
  const args = ['--email', 'stdin@example.com', '--role', 'operator', '--password-stdin', '--json']
  const made = await command('create-operator', args, { input: `${password}\n` })
  expect(JSON.parse(made.stdout)).toEqual({
    email: 'stdin@example.com',
    created: true,
    must_change_password: true,
  })
  expect(made.stdout + made.stderr).not.toContain(password)
  const session = await openConsole(world).operator.signIn.mutate({ email: 'stdin@example.com', password })
  expect(session.operator.role).toBe('operator')
  const short = await command('create-operator', args, { input: 'short' })
  expect(short).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('12 to 128 characters'),
  })
})

test.each([
  ['no arguments', []],
  ['an unknown role', ['--email', 'x@example.com', '--role', 'root']],
  ['an unknown option', ['--email', 'x@example.com', '--role', 'owner', '--admin']],
])('operator:create with %s says in one line what it wants', async (_what, args) => {
  const { code, stdout, stderr } = await createOperator(...args)
  expect([code, stdout, stderr.split('\n')]).toEqual([
    1,
    '',
    [expect.stringMatching(/^operator:create: /), ''],
  ])
})

test('without a database each command says so in one line, and never what it was given instead', async () => {
  const run = (name: string, databaseUrl: string) => {
    const args = name === 'create-operator' ? ['--email', 'x@example.com', '--role', 'owner'] : []
    return command(name, args, { environment: { DATABASE_URL: databaseUrl } })
  }
  const [unset, bad, worse] = await Promise.all([
    run('create-operator', ''),
    run('verify-ledger', 'mysql://secret@nowhere/x'),
    run('migrate', 'secret'),
  ])
  expect(unset).toEqual({ code: 1, stdout: '', stderr: 'operator:create: DATABASE_URL: is required\n' })
  const refused = expect.stringMatching(/^\S+: DATABASE_URL: must be a postgresql:\/\/ address\n$/)
  for (const given of [bad, worse]) expect(given).toEqual({ code: 1, stdout: '', stderr: refused })
})

test('a sandbox begins with samples that keep every rule, and an installation that has its own keeps them', async () => {
  expect(validateDiagnosis(DiagnosisDraftContent.parse(sampleDiagnosis))).toEqual([])
  expect(z.record(z.string(), MessageTemplate).parse(sampleTemplates)).toEqual(sampleTemplates)
  const stored = () =>
    world.query(`
      SELECT (SELECT value FROM settings WHERE key = 'message_templates') AS templates,
        (SELECT content FROM diagnosis_versions WHERE version = 1) AS diagnosis`)
  const before = await stored()
  await command('migrate', ['--samples'])
  expect(await stored()).toEqual(before)
  await tamper(world, `DELETE FROM settings WHERE key = 'message_templates'; DELETE FROM diagnosis_versions`)
  await command('migrate', ['--samples'])
  expect(await stored()).toEqual([{ templates: sampleTemplates, diagnosis: sampleDiagnosis }])
})

test('db:migrate on a database that is up to date changes nothing', async () => {
  await world.query(`UPDATE plans SET price_fen = 2700 WHERE code = 'monthly'`)
  expect(await command('migrate')).toEqual({ code: 0, stdout: 'The database is up to date.\n', stderr: '' })
  expect(await world.query(`SELECT price_fen FROM plans WHERE code = 'monthly'`)).toEqual([
    { price_fen: 2700 },
  ])
})

test('ledger:verify finds nothing in a ledger that nobody touched, and each difference that somebody planted', async () => {
  const people = [await world.phone(), await world.phone(), await world.phone()]
  const ids: string[] = []
  for (const phone of people) {
    for (const plan of ['monthly', 'yearly']) await phone.pays(await phone.buys(plan))
    ids.push(z.object({ id: z.string() }).parse((await phone.call('/me')).body).id)
  }
  const host = { DATABASE_URL: world.databaseUrl, WECHAT_PAY_BASE_URL: world.platform.url }
  expect(await command('verify-ledger', [], { environment: host })).toMatchObject({
    code: 0,
    stderr: '',
    stdout: '3 subscriptions checked, 0 differ, 0 grants of another platform\n',
  })
  const [first = ''] = ids.toSorted()
  expect(await command('verify-ledger', ['--after', first], { environment: host })).toMatchObject({
    code: 0,
    stdout: '2 subscriptions checked, 0 differ, 0 grants of another platform\n',
  })
  expect(await command('verify-ledger', ['--after', 'nobody'], { environment: host })).toMatchObject({
    code: 1,
    stderr: 'ledger:verify: --after must be a user id, as an earlier run named it\n',
  })

  const [longer = '', shorter = '', other = ''] = ids
  await tamper(
    world,
    `UPDATE subscriptions SET expires_at = expires_at + interval '1 day' WHERE user_id = '${longer}'`,
  )
  await tamper(world, `DELETE FROM grants WHERE user_id = '${shorter}' AND seq = 2`)
  await tamper(
    world,
    `UPDATE grants SET platform_host = 'elsewhere.example' WHERE user_id = '${other}' AND seq = 1`,
  )
  const found = await command('verify-ledger', [], { environment: host })
  expect([found.code, found.stderr]).toEqual([1, ''])
  const lines = found.stdout.split('\n')
  expect(lines.filter((line) => line.startsWith(longer))).toEqual([expect.stringContaining('recomputed')])
  expect(lines.filter((line) => line.startsWith(shorter))).toEqual([expect.stringContaining('recomputed')])
  expect(lines.filter((line) => line.startsWith(other))).toEqual([
    expect.stringContaining('elsewhere.example'),
  ])
  expect(lines.at(-2)).toBe('3 subscriptions checked, 2 differ, 1 grants of another platform')
})

test('db:migrate goes to DATABASE_DIRECT_URL where it is set, and else to DATABASE_URL', async () => {
  const nobody = 'postgresql://u@127.0.0.1:1/x_test'
  const past = await command('migrate', [], {
    environment: { DATABASE_URL: nobody, DATABASE_DIRECT_URL: world.databaseUrl },
  })
  expect(past).toEqual({ code: 0, stdout: 'The database is up to date.\n', stderr: '' })
  expect(await command('migrate')).toEqual(past)
  const wrong = await command('migrate', [], {
    environment: { DATABASE_URL: world.databaseUrl, DATABASE_DIRECT_URL: nobody },
  })
  expect(wrong).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^db:migrate: .*ECONNREFUSED[^\n]*\n$/),
  })
})

test('db:migrate takes another limit of time, in minutes', async () => {
  expect(await command('migrate', ['--limit-minutes', '0.5'])).toMatchObject({ code: 0 })
  for (const wrong of ['soon', '0', '-1', '99999'])
    expect(await command('migrate', [`--limit-minutes=${wrong}`])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'db:migrate: --limit-minutes must be a number of minutes, more than 0 and at most a week\n',
    })
})
