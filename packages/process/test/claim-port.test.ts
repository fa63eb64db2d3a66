import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { claimPort } from '../src/index.ts'

test('a claimed port is one from which the kernel makes no outgoing connection', async () => {
  const { port, release } = await claimPort()
  onTestFinished(release)
  const range = '/proc/sys/net/ipv4/ip_local_port_range'
  const [first = 0, last = 0] =
    process.platform === 'linux'
      ? readFileSync(range, 'utf8').trim().split(/\s+/).map(Number)
      : [49_152, 65_535]
  expect(port < first || port > last).toBe(true)
})

test('no two claims are the same', async () => {
  const claims = await Promise.all(Array.from({ length: 200 }, () => claimPort()))
  onTestFinished(() => claims.forEach(({ release }) => void release()))
  expect(new Set(claims.map(({ port }) => port)).size).toBe(200)
})

test('another process gets a claimed port when it is released, not before', async () => {
  const claim = await claimPort()
  const other = async () => {
    const program = join(import.meta.dirname, 'programs/claim.ts')
    const asked = [process.execPath, ['--import', 'tsx', program, String(claim.port)]] as const
    return (await promisify(execFile)(...asked)).stdout.trim()
  }
  expect(await other()).toBe(`Error: Port ${claim.port} is taken`)
  claim.release()
  expect(await other()).toBe('claimed')
})

test('a port on which somebody listens is no claim', async () => {
  const { port, release } = await claimPort()
  release()
  const squatter = createServer()
  onTestFinished(() => void squatter.close())
  await new Promise<void>((listening) => squatter.listen(port, '127.0.0.1', listening))
  await expect(claimPort(port)).rejects.toThrow(`Port ${port} is taken`)
})
