import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { askOne, canConnect } from '../src/cluster.ts'
import { ensureEmbedded } from '../src/index.ts'
import { stopPostmaster } from '../src/postmaster.ts'
import { memberOf } from './member-of.ts'
import { runProgram } from './run-program.ts'

// One cluster for all these tests, because making one takes longer than each of them.
const base = process.platform === 'linux' ? '/tmp' : tmpdir()
const dataFolder = join(base, `meridian embedded ${randomBytes(6).toString('hex')}`)
const cluster = () => join(dataFolder, 'cluster')
const postmaster = () => Number(readFileSync(join(cluster(), 'postmaster.pid'), 'utf8').split('\n')[0])
const childrenOf = (pid: number) =>
  execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number)

afterEach(() => stopPostmaster(cluster()))
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }))

test('the database keeps its address and its data from one start to the next', async () => {
  const first = await ensureEmbedded({ memberOf, dataFolder })
  expect(first.startedHere).toBe(true)
  await askOne(first.databaseUrl, 'CREATE TABLE kept AS SELECT 42 AS number')
  await first.stop()
  expect(await canConnect(first.databaseUrl)).toBe(false)

  const second = await ensureEmbedded({ memberOf, dataFolder })
  expect(second.databaseUrl).toBe(first.databaseUrl)
  expect(await askOne(second.databaseUrl, 'SELECT number FROM kept')).toBe(42)
  await second.stop()
  await second.stop()
  expect(await canConnect(second.databaseUrl)).toBe(false)
})

test('the server is reachable from this machine only, by password, in UTC and with every commit on disk', async () => {
  const { databaseUrl, stop } = await ensureEmbedded({ memberOf, dataFolder })
  expect(await askOne(databaseUrl, `SELECT current_setting('listen_addresses')`)).toBe('127.0.0.1')
  expect(await askOne(databaseUrl, `SELECT current_setting('unix_socket_directories')`)).toBe('')
  expect(await askOne(databaseUrl, `SELECT current_setting('timezone')`)).toBe('UTC')
  expect(await askOne(databaseUrl, `SELECT current_setting('fsync')`)).toBe('on')
  expect(await askOne(databaseUrl, `SELECT lower('ÄÖ') || upper('é')`)).toBe('äöÉ')
  expect(statSync(join(dataFolder, 'password')).mode & 0o777).toBe(0o600)
  const stranger = new URL(databaseUrl)
  stranger.password = 'guess'
  expect(await canConnect(stranger.href)).toBe(false)
  await stop()
})

test('the log of the server names no row and no statement, and begins anew once it is long', async () => {
  const log = join(dataFolder, 'server.log')
  const { databaseUrl, stop } = await ensureEmbedded({ memberOf, dataFolder })
  await askOne(databaseUrl, 'CREATE TABLE people (openid text PRIMARY KEY)')
  await askOne(databaseUrl, `INSERT INTO people VALUES ('o-secret-person')`)
  await expect(askOne(databaseUrl, `INSERT INTO people VALUES ('o-secret-person')`)).rejects.toThrow(
    'duplicate',
  )
  await expect.poll(() => readFileSync(log, 'utf8')).toContain('duplicate key value')
  expect(readFileSync(log, 'utf8')).not.toContain('o-secret-person')
  appendFileSync(log, 'x'.repeat(10 * 1024 * 1024))
  const again = await ensureEmbedded({ memberOf, dataFolder })
  expect(statSync(log).size).toBeLessThan(1024 * 1024)
  expect(statSync(`${log}.previous`).size).toBeGreaterThan(10 * 1024 * 1024)
  await again.stop()
  await stop()
})

test('the programs get a user of their own, who is neither a superuser nor able to make tables', async () => {
  const { runtimeUrl, stop } = await ensureEmbedded({ memberOf, dataFolder })
  expect(await askOne(runtimeUrl, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user')).toBe(false)
  await expect(askOne(runtimeUrl, 'CREATE TABLE mine (id int)')).rejects.toThrow('permission denied')
  await stop()
  const again = await ensureEmbedded({ memberOf, dataFolder })
  expect(again.runtimeUrl).toBe(runtimeUrl)
  await again.stop()
})

test('of two commands that start at once one starts the server and is the one that stops it', async () => {
  const programs = await Promise.all([
    runProgram('use-embedded', [dataFolder]),
    runProgram('use-embedded', [dataFolder]),
  ])
  const owners = programs.filter((program) => program.startedHere)
  const guests = programs.filter((program) => !program.startedHere)
  expect([owners.length, guests.length]).toEqual([1, 1])
  const databaseUrl = owners[0]?.databaseUrl ?? ''
  expect(guests[0]?.databaseUrl).toBe(databaseUrl)

  await guests[0]?.finish()
  expect(await canConnect(databaseUrl)).toBe(true)
  await owners[0]?.finish()
  expect(await canConnect(databaseUrl)).toBe(false)
})

test('Ctrl-C in the terminal of a command does not reach the server', async () => {
  const program = await runProgram('use-embedded', [dataFolder])
  process.kill(-program.pid, 'SIGINT')
  expect(await canConnect(program.databaseUrl)).toBe(true)
  await program.finish()
  expect(await canConnect(program.databaseUrl)).toBe(false)
})

test('a server whose owner was killed goes on, and the next command takes it over', async () => {
  const program = await runProgram('use-embedded', [dataFolder])
  await program.kill()
  expect(await canConnect(program.databaseUrl)).toBe(true)

  const next = await ensureEmbedded({ memberOf, dataFolder })
  expect(next).toMatchObject({ databaseUrl: program.databaseUrl, startedHere: true })
  expect((await ensureEmbedded({ memberOf, dataFolder })).startedHere).toBe(false)
  await next.stop()
  expect(await canConnect(next.databaseUrl)).toBe(false)
})

test('what was committed survives the killing of the server', async () => {
  const program = await runProgram('use-embedded', [dataFolder])
  await askOne(program.databaseUrl, 'CREATE TABLE committed AS SELECT 42 AS number')
  const killed = postmaster()
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => canConnect(program.databaseUrl)).toBe(false)

  const next = await ensureEmbedded({ memberOf, dataFolder })
  expect(await askOne(next.databaseUrl, 'SELECT number FROM committed')).toBe(42)
  expect(postmaster()).not.toBe(killed)
  await program.finish()
  expect(await canConnect(next.databaseUrl)).toBe(false)
})

test('a new server waits until the processes of a killed one are gone', async () => {
  const program = await runProgram('use-embedded', [dataFolder])
  const [child = 0] = childrenOf(postmaster())
  process.kill(child, 'SIGSTOP')
  process.kill(postmaster(), 'SIGKILL')
  const starting = ensureEmbedded({ memberOf, dataFolder })
  const log = () => readFileSync(join(dataFolder, 'server.log'), 'utf8')
  await expect
    .poll(log)
    .toContain('pre-existing shared memory')
    .finally(() => process.kill(child, 'SIGCONT'))
  expect(await canConnect((await starting).databaseUrl)).toBe(true)
  await program.finish()
})

test('a process file left by a crash, whose number another program has by now, is no obstacle', async () => {
  const first = await ensureEmbedded({ memberOf, dataFolder })
  const left = readFileSync(join(cluster(), 'postmaster.pid'), 'utf8')
  await first.stop()
  writeFileSync(join(cluster(), 'postmaster.pid'), left.replace(/^\d+/, String(process.pid)))

  const second = await ensureEmbedded({ memberOf, dataFolder })
  expect(await canConnect(second.databaseUrl)).toBe(true)
  await second.stop()
})

test('when another program has taken the port, the server moves to another one', async () => {
  const first = await ensureEmbedded({ memberOf, dataFolder })
  await first.stop()
  const { port } = new URL(first.databaseUrl)
  const squatter = createServer()
  await new Promise<void>((resolve) => squatter.listen(Number(port), '127.0.0.1', resolve))

  const second = await ensureEmbedded({ memberOf, dataFolder })
  expect(new URL(second.databaseUrl).port).not.toBe(port)
  expect(await canConnect(second.databaseUrl)).toBe(true)
  await second.stop()
  squatter.close()
})

test('a half-made data directory is made afresh', async () => {
  const first = await ensureEmbedded({ memberOf, dataFolder })
  await first.stop()
  rmSync(cluster(), { recursive: true })
  writeFileSync(join(dataFolder, 'cluster.unfinished'), 'cut off')
  const second = await ensureEmbedded({ memberOf, dataFolder })
  expect(await canConnect(second.databaseUrl)).toBe(true)
  await second.stop()
  expect(existsSync(join(dataFolder, 'cluster.unfinished'))).toBe(false)
})

test('a start that fails half-way leaves neither a server nor an owner behind', async () => {
  await expect(ensureEmbedded({ memberOf, dataFolder, database: 'template0' })).rejects.toThrow(/template0/)
  expect(existsSync(join(cluster(), 'postmaster.pid'))).toBe(false)

  const next = await ensureEmbedded({ memberOf, dataFolder })
  expect(next.startedHere).toBe(true)
  await next.stop()
})

test('what stands in the way is told in one line', async () => {
  const first = await ensureEmbedded({ memberOf, dataFolder })
  await first.stop()
  writeFileSync(join(cluster(), 'PG_VERSION'), '9\n')
  const failure = ensureEmbedded({ memberOf, dataFolder })
  await expect(failure).rejects.toThrow(/^PostgreSQL did not start: [^\n]*incompatible[^\n]*$/)
  await expect(failure).rejects.toHaveProperty('name', 'EmbeddedPostgresError')

  rmSync(join(dataFolder, 'password'))
  await expect(ensureEmbedded({ memberOf, dataFolder })).rejects.toThrow(
    /^The password file [^\n]* is missing[^\n]*$/,
  )
  await expect(ensureEmbedded({ memberOf, dataFolder: '/dev/null/below' })).rejects.toThrow(
    /^The embedded PostgreSQL in [^\n]*$/,
  )
})
