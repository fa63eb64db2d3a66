import { openPool, type Pool, type PoolOptions } from '@meridian/db'
import { cloneDatabase } from '@meridian/db/testing'
import { withConnection } from '@meridian/embedded-postgres/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { watchDatabase } from '../../src/platform/database/watch-database.ts'
import { freePort } from '../world/free-port.ts'
import { speakAsDatabase } from '../world/speak-as-database.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())

function poolOf(databaseUrl: string, options: PoolOptions = {}): Pool {
  const pool = openPool(databaseUrl, { maxConnections: 1, ...options })
  onTestFinished(() => pool.end())
  return pool
}

/** A watch with a clock that stands, an alarm pool and one more, of one connection each, and who answered it so far. */
function watchAt(databaseUrl: string) {
  const clock = { ms: 0 }
  const used: string[] = []
  const open = (name: string) => poolOf(databaseUrl, { onAnswer: () => used.push(name) })
  const [alarms, door] = [open('alarms'), open('door')]
  const state = watchDatabase({ pools: [alarms, door], lent: [door], databaseUrl, nowMs: () => clock.ms })
  onTestFinished(() => state.close())
  return { clock, used, alarms, door, state }
}

/** Has a database take no writes, or take them again; the setting holds for the sessions that begin after it. */
const onlyRead = (databaseUrl: string, value: 'on' | 'off') =>
  withConnection(database.databaseUrl, (client) =>
    client.query(
      `ALTER DATABASE ${new URL(databaseUrl).pathname.slice(1)} SET default_transaction_read_only = ${value}`,
    ),
  )

describe('a database answers', () => {
  test('for five seconds after its last answer, and not before the first', async () => {
    const { clock, state } = watchAt(database.databaseUrl)
    expect([state.answers(), state.failure()]).toEqual([false, 'not asked yet'])
    await state.ask()
    expect([state.answers(), state.failure()]).toEqual([true, null])
    clock.ms = 4_999
    expect(state.answers()).toBe(true)
    clock.ms = 5_000
    expect(state.answers()).toBe(false)
    state.answered()
    expect(state.answers()).toBe(true)
  })

  test('one question a second, however many ask', async () => {
    const { clock, used, state } = watchAt(database.databaseUrl)
    await Promise.all([state.ask(), state.ask(), state.ask()])
    clock.ms = 999
    await state.ask()
    expect(used).toEqual(['alarms'])
    clock.ms = 1_000
    await state.ask()
    expect(used).toEqual(['alarms', 'alarms'])
  })

  test('not when nobody is there, which is told by its reason', async () => {
    const { state } = watchAt(`postgresql://u@127.0.0.1:${await freePort()}/x_test`)
    await state.ask()
    expect([state.answers(), state.failure()]).toEqual([false, expect.stringContaining('ECONNREFUSED')])
  })

  test('again after a failure, once it is asked again', async () => {
    await using server = await speakAsDatabase({
      refuses: { at: 'login', code: '57P03', words: 'starting up' },
    })
    const { state } = watchAt(server.databaseUrl)
    await state.ask()
    await state.ask()
    expect(state.failure()).toBe('starting up')
    // Until the first answer everybody's question is asked.
    expect(server.count().logins).toBe(2)
  })
})

describe('the question takes a connection', () => {
  test('that is free, the alarms’ first', async () => {
    const { clock, used, alarms, state } = watchAt(database.databaseUrl)
    await state.ask()
    const held = await alarms.connect()
    clock.ms = 1_000
    await state.ask()
    expect(used).toEqual(['alarms', 'door'])
    held.release()
  })

  test('of the alarms where none is free, and whoever asks waits for a second at most', async () => {
    const { alarms, door, used, state } = watchAt(database.databaseUrl)
    const held = [await alarms.connect(), await door.connect()]
    await state.ask()
    expect([alarms.waitingCount, door.waitingCount, state.answers()]).toEqual([1, 0, false])
    for (const client of held) client.release()
    await expect.poll(state.answers).toBe(true)
    expect(used.filter((name) => name === 'door')).toHaveLength(1)
  })
})

test('an idle connection is lent, and one of the alarms’ where none is idle', async () => {
  const { alarms, door, state } = watchAt(database.databaseUrl)
  expect(state.lendPool()).toBe(alarms)
  await door.query('SELECT 1')
  expect(state.lendPool()).toBe(door)
  const held = await door.connect()
  expect(state.lendPool()).toBe(alarms)
  held.release()
})

describe('writes are taken', () => {
  test('but not by a database that only reads', async () => {
    await using own = await cloneDatabase()
    await onlyRead(own.databaseUrl, 'on')
    const { clock, alarms, state } = watchAt(own.databaseUrl)
    await state.ask()
    expect([state.answers(), state.takesWrites()]).toEqual([true, false])
    await onlyRead(own.databaseUrl, 'off')
    const held = await alarms.connect()
    held.release(true)
    clock.ms = 1_000
    await state.ask()
    await expect.poll(state.takesWrites).toBe(true)
  })

  test('by a server that only read until now once it has confirmed one, as a new leader does late', async () => {
    await using own = await cloneDatabase()
    await using leader = await speakAsDatabase()
    await onlyRead(own.databaseUrl, 'on')
    const alarms = poolOf(own.databaseUrl)
    const clock = { ms: 0 }
    const state = watchDatabase({
      pools: [alarms],
      lent: [],
      databaseUrl: leader.databaseUrl,
      nowMs: () => clock.ms,
    })
    onTestFinished(() => state.close())
    await state.ask()
    await onlyRead(own.databaseUrl, 'off')
    const held = await alarms.connect()
    held.release(true)
    clock.ms = 1_000
    await state.ask()
    await expect.poll(() => leader.count().waiting).toBe(1)
    expect([state.answers(), state.takesWrites()]).toEqual([true, false])
    leader.answer()
    await expect.poll(state.takesWrites).toBe(true)
  })

  test('until one that somebody suspects has no answer for a second, and again when it has one', async () => {
    await using server = await speakAsDatabase()
    const { state } = watchAt(server.databaseUrl)
    for (let time = 1; time <= 3; time++) state.suspectWrites()
    expect(state.takesWrites()).toBe(true)
    await expect.poll(state.takesWrites).toBe(false)
    state.suspectWrites()
    expect(server.count()).toEqual({ connected: 1, logins: 1, waiting: 1 })
    server.answer()
    await expect.poll(state.takesWrites).toBe(true)
    await expect.poll(() => server.count().connected).toBe(0)
    state.suspectWrites()
    await expect.poll(server.count).toEqual({ connected: 1, logins: 2, waiting: 1 })
  })

  test('where a trial is refused: the server tells whoever writes', async () => {
    await using server = await speakAsDatabase({
      refuses: { at: 'login', code: '57P03', words: 'starting up' },
    })
    const { state } = watchAt(server.databaseUrl)
    state.suspectWrites()
    await expect.poll(() => server.count()).toMatchObject({ connected: 0, logins: 1 })
    expect(state.takesWrites()).toBe(true)
  })
})

test('closing ends a trial that has no answer, and no other begins', async () => {
  await using server = await speakAsDatabase()
  const { state } = watchAt(server.databaseUrl)
  state.suspectWrites()
  await expect.poll(() => server.count().waiting).toBe(1)
  state.close()
  await expect.poll(() => server.count().connected).toBe(0)
  state.suspectWrites()
  await expect.poll(() => server.count()).toMatchObject({ connected: 0, logins: 1 })
})

test('closing while a trial is about to connect leaves no connection', async () => {
  await using server = await speakAsDatabase()
  const { state } = watchAt(server.databaseUrl)
  state.suspectWrites()
  state.close()
  await expect.poll(server.count).toEqual({ connected: 0, logins: 1, waiting: 0 })
})
