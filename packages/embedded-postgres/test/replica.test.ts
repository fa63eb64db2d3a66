import { expect, onTestFinished, test } from 'vitest'
import { askOne, canConnect, withConnection } from '../src/cluster.ts'
import { startReplica } from '../src/start-replica.ts'
import { startThrowawayServer } from '../src/start-throwaway-server.ts'

test('a replica shows what its primary wrote, keeps it back while paused, and comes back at the same address', async () => {
  const server = await startThrowawayServer()
  onTestFinished(() => server.stop())
  const run = (sql: string) => withConnection(server.databaseUrl, (client) => client.query(sql))
  await run('CREATE TABLE written (number int)')
  const replica = await startReplica(server.databaseUrl)
  onTestFinished(() => replica.stop())
  const seen = () => askOne(replica.databaseUrl, 'SELECT count(*)::int FROM written').catch(() => null)

  await run('INSERT INTO written VALUES (1)')
  await expect.poll(seen, { timeout: 20_000 }).toBe(1)
  expect(await askOne(replica.databaseUrl, 'SELECT pg_is_in_recovery()')).toBe(true)

  await replica.pause()
  await run('INSERT INTO written VALUES (2)')
  expect(await seen()).toBe(1)
  await replica.replay()
  await expect.poll(seen, { timeout: 20_000 }).toBe(2)

  await replica.halt()
  expect(await canConnect(replica.databaseUrl)).toBe(false)
  await run('INSERT INTO written VALUES (3)')
  await replica.start()
  await expect.poll(seen, { timeout: 20_000 }).toBe(3)

  await server.stop()
  expect(await seen()).toBe(3)
  await replica.stop()
  expect(await canConnect(replica.databaseUrl)).toBe(false)
})
