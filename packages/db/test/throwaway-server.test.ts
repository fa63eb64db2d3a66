import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startThrowawayServer } from '../src/testing/start-throwaway-server.ts'
import { canConnect } from './can-connect.ts'
import { runProgram } from './run-program.ts'

const leftFolders = () => readdirSync('/tmp').filter((name) => name.startsWith('meridian-test-'))

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
  'a test run ended by %s leaves neither a server nor a folder',
  async (signal) => {
    const before = leftFolders()
    const program = await runProgram('use-throwaway-server')
    const [folder] = leftFolders().filter((name) => !before.includes(name))
    expect(await canConnect(program.databaseUrl)).toBe(true)

    process.kill(-program.pid, signal)
    await expect.poll(() => canConnect(program.databaseUrl)).toBe(false)
    await expect.poll(leftFolders).not.toContain(folder)
  },
)

test('a server that was stopped is gone when the call comes back', async () => {
  const server = await startThrowawayServer()
  expect(await canConnect(server.databaseUrl)).toBe(true)
  await server.stop()
  expect(await canConnect(server.databaseUrl)).toBe(false)
})
