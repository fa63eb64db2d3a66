import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askOne, atPort, canConnect, startThrowawayPooler, startThrowawayServer } from '../src/testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'meridian-forward-'))
const program = join(folder, 'forward')
let server: Awaited<ReturnType<typeof startThrowawayServer>>

beforeAll(async () => {
  const forward = join(import.meta.dirname, 'programs/forward.mjs')
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${forward}' "$@"\n`)
  chmodSync(program, 0o755)
  server = await startThrowawayServer()
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

test('a pooler leads to the databases of its server, and is gone with its files when it is stopped', async () => {
  const users = [{ name: 'somebody', password: 'secret' }]
  const pooler = await startThrowawayPooler({ program, serverUrl: server.databaseUrl, users })
  const through = atPort(server.databaseUrl, pooler.port)
  expect(await askOne(through, 'SELECT current_database()')).toBe('postgres')
  const { home } = pooler
  expect(readFileSync(join(home, 'users'), 'utf8')).toBe('"somebody" "secret"\n')
  await pooler.stop()
  expect([await canConnect(through), existsSync(home)]).toEqual([false, false])
})

test('a pooler that does not start says why', async () => {
  const nowhere = startThrowawayPooler({ program, serverUrl: 'postgresql://x@127.0.0.1:1/x', users: [] })
  await expect(nowhere).rejects.toThrow(/did not start: FATAL no such server/)
})
