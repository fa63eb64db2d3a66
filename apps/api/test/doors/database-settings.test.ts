import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ConfigError, readConfig, readDatabaseUrl, readMigrationUrl } from '../../src/config.ts'
import { runCommand, startApi } from '../world/api-process.ts'
import { call } from '../world/phone.ts'
import { environmentFor } from '../world/test-world.ts'
import { useDatabase, usePlatform } from '../world/use-opened.ts'

const folder = mkdtempSync(join(tmpdir(), 'meridian-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileWith(name: string, content: string): string {
  const file = join(folder, name)
  writeFileSync(file, content, { mode: 0o600 })
  return file
}

const address = 'postgresql://user:hidden-password@db.internal/x_test'
const plain = (more: Record<string, string> = {}) =>
  environmentFor(address, 4000, { DATABASE_URL: address, ...more })

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('a setting of the database that does not hold is one line that names it and not what it holds:', () => {
  const prefer = `${address}?sslmode=prefer`
  test.each([
    ['DATABASE_POOLING', 'statement'],
    ['DATABASE_POOL_SIZE', '5'],
    ['DATABASE_POOL_SIZE', '201'],
    ['DATABASE_POOL_SIZE', '10.5'],
    ['DATABASE_POOL_SIZE', 'x-many'],
    ['DATABASE_CA_FILE', '/no/such/ca.pem'],
    ['DATABASE_CA_FILE', folder],
    ['DATABASE_CA_FILE', 'package.json'],
    ['DATABASE_URL', prefer],
    ['DATABASE_DIRECT_URL', prefer],
    ['DATABASE_READ_URL', prefer],
    ['DATABASE_URL', `${address}?sslmode=verify-full&ssl=0`],
    ['DATABASE_DIRECT_URL', 'mysql://user:hidden-password@db.internal/x'],
    ['DATABASE_READ_URL', 'nonsense'],
  ])('%s as "%s"', (name, value) => {
    for (const read of [readConfig, readDatabaseUrl, readMigrationUrl]) {
      const problems = problemsOf(() => read(plain({ [name]: value })))
      expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name}: \\S[^\\n]*$`))])
      expect(problems.join()).not.toContain(value)
      expect(problems.join()).not.toContain('hidden')
    }
  })

  test.each(['DATABASE_URL', 'JWT_SECRET', 'DATABASE_DIRECT_URL'])('%s that is given twice', (name) => {
    const given = { [name]: plain()[name] ?? address }
    const file = fileWith('twice', 'hidden-too')
    expect(problemsOf(() => readConfig(plain({ ...given, [`${name}_FILE`]: file })))).toEqual([
      `${name}: is set twice, also by ${name}_FILE`,
    ])
  })

  test.each(['DATABASE_URL', 'JWT_SECRET', 'DATABASE_READ_URL'])('%s whose file cannot be read', (name) => {
    const without = plain({ [name]: '', [`${name}_FILE`]: join(folder, 'missing') })
    expect(problemsOf(() => readConfig(without))).toEqual([`${name}_FILE: cannot be read (ENOENT)`])
  })
})

describe('a pooler that lends sessions by the transaction', () => {
  const pooled = { DATABASE_POOLING: 'transaction' }
  const needed = [expect.stringMatching(/^DATABASE_DIRECT_URL: is required [^\n]*$/)]

  test.each(['worker', 'all', ''])('needs a direct address for role "%s"', (role) => {
    expect(problemsOf(() => readConfig(plain({ ...pooled, MERIDIAN_ROLE: role })))).toEqual(needed)
    const direct = { DATABASE_DIRECT_URL: address }
    expect(problemsOf(() => readConfig(plain({ ...pooled, ...direct, MERIDIAN_ROLE: role })))).toEqual([])
  })

  test('needs one for migrations, but not for an API without jobs, nor for another command', () => {
    expect(problemsOf(() => readMigrationUrl(plain(pooled)))).toEqual(needed)
    expect(problemsOf(() => readConfig(plain({ ...pooled, MERIDIAN_ROLE: 'api' })))).toEqual([])
    expect(problemsOf(() => readDatabaseUrl(plain(pooled)))).toEqual([])
  })

  test('leaves no session to whom it leads, and all of it to whoever goes beside it', () => {
    const direct = 'postgresql://user:hidden-password@server.internal/x_test'
    const settings = plain({ ...pooled, DATABASE_DIRECT_URL: direct, DATABASE_READ_URL: address })
    expect(readConfig(settings).database).toEqual({
      url: `${address}?pgbouncer=true`,
      direct,
      read: `${address}?pgbouncer=true`,
    })
    expect([readMigrationUrl(settings), readDatabaseUrl(settings)]).toEqual([direct, direct])
    expect(readConfig(plain()).database).toEqual({ url: address, direct: address, read: null })
  })
})

describe('an address in a file', () => {
  const platform = usePlatform()
  const database = useDatabase()

  /** What a program is given, each secret of it in a file. */
  function inFiles(environment: Record<string, string>): Record<string, string> {
    const secrets = Object.keys(environment).filter((name) => /_SECRET$|_KEY$|^DATABASE_\w*URL$/.test(name))
    const files = secrets.map((name) => [`${name}_FILE`, fileWith(name, `${environment[name]}\n`)])
    return { ...environment, ...Object.fromEntries([...secrets.map((name) => [name, '']), ...files]) }
  }

  test('is as good for a command as one in the environment', async () => {
    const env = inFiles(environmentFor(database.databaseUrl, 4000))
    expect(env).toMatchObject({ DATABASE_URL: '', DATABASE_URL_FILE: expect.any(String) })
    expect(await runCommand('verify-ledger', { env })).toMatchObject({ code: 0 })
    const broken = { ...env, DATABASE_URL_FILE: join(folder, 'missing') }
    expect(await runCommand('migrate', { env: broken })).toMatchObject({
      code: 1,
      stderr: 'db:migrate: DATABASE_URL_FILE: cannot be read (ENOENT)\n',
    })
  })

  test('is as good for the API, whose every secret may be in one', async () => {
    const more = inFiles(environmentFor(database.databaseUrl, 0, { MERIDIAN_ROLE: 'api' }))
    const api = await startApi({ platform, databaseUrl: database.databaseUrl, more: withoutPort(more) })
    expect(await call(`${api.url}/readyz`)).toMatchObject({ status: 200, body: { status: 'ready' } })
    await api.stop()
  })

  const withoutPort = ({ PORT: _chosen, ...more }: Record<string, string>) => more
})
