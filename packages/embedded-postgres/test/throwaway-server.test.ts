import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { askOne, canConnect } from '../src/cluster.ts'
import { startThrowawayServer } from '../src/start-throwaway-server.ts'
import { runProgram } from './run-program.ts'

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'a test run ended by %s leaves neither a server nor a folder',
  async (signal) => {
    const program = await runProgram('use-throwaway-server')
    const home = dirname(String(await askOne(program.databaseUrl, 'SHOW data_directory')))
    expect(basename(home)).toMatch(/^meridian-test-/)
    expect(existsSync(home)).toBe(true)

    process.kill(-program.pid, signal)
    await expect.poll(() => canConnect(program.databaseUrl)).toBe(false)
    await expect.poll(() => existsSync(home)).toBe(false)
  },
)

test('a server that was stopped is gone when the call comes back', async () => {
  const server = await startThrowawayServer()
  expect(await canConnect(server.databaseUrl)).toBe(true)
  await server.stop()
  expect(await canConnect(server.databaseUrl)).toBe(false)
})
