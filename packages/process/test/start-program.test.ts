import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSocket, spawnProgram, startProgram } from '../src/index.ts'

const programFile = (name: string) => join(import.meta.dirname, 'programs', `${name}.mjs`)
const said = (url: string) => fetch(url).then((answer) => answer.text())

/** Why nobody can have this port, or null when somebody just had it. */
const refusalOf = (port: number) =>
  new Promise<string | null>((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve('code' in error ? String(error.code) : error.message))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(null)))
  })

describe('a program that ends before it is ready', () => {
  test('fails with its exit code and its last lines', async () => {
    const start = startProgram({
      command: [programFile('fail'), '3'],
      env: {},
      ready: 'http://127.0.0.1:1/',
    })
    await expect(start).rejects.toThrow(
      /fail\.mjs 3 ended before it was ready \(exit code 3\)\. Its last lines:\nreading the settings\nSECRET: is required$/,
    )
  })

  test('fails with the signal that ended it', async () => {
    const start = startProgram({
      command: [programFile('fail'), 'SIGKILL'],
      env: {},
      ready: 'http://127.0.0.1:1/',
    })
    await expect(start).rejects.toThrow(/ended before it was ready \(signal SIGKILL\)/)
  })

  test('fails also where its socket, still open, has taken the question', async () => {
    const http = await openSocket()
    const start = startProgram({
      command: [programFile('fail'), '0'],
      env: {},
      sockets: { http },
      ready: http.url,
    })
    await expect(start).rejects.toThrow(/exit code 0.*SECRET: is required/s)
    expect(await refusalOf(http.port)).toBe(null)
  })
})

describe('a socket that is handed over', () => {
  test('holds its port from the moment it is known: nobody listens there, and no connection goes out from it', async () => {
    const http = await openSocket()
    expect(await refusalOf(http.port)).toBe('EADDRINUSE')
    const elsewhere = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void elsewhere.close())
    const address = elsewhere.address()
    const outgoing = connect({
      port: typeof address === 'object' && address ? address.port : 0,
      host: '127.0.0.1',
      localAddress: '127.0.0.1',
      localPort: http.port,
    })
    const reason = await new Promise((resolve) => {
      outgoing.once('error', (error) => resolve('code' in error ? error.code : error.message))
      outgoing.once('connect', () => resolve('connected'))
    })
    expect(reason).toBe('EADDRINUSE')

    const program = await startProgram({
      command: [programFile('serve')],
      env: { WORDS: 'here' },
      sockets: { http },
      ready: http.url,
    })
    onTestFinished(program.kill)
    expect(await said(http.url)).toBe('here')
    expect(await refusalOf(http.port)).toBe('EADDRINUSE')
    await program.stop()
    expect(program.hasEnded()).toBe(true)
    expect(await refusalOf(http.port)).toBe(null)
  })

  test('keeps those who come early until the program takes them', async () => {
    const http = await openSocket()
    const program = spawnProgram({
      command: [programFile('serve')],
      env: { WORDS: 'at last' },
      sockets: { http },
    })
    onTestFinished(program.kill)
    expect(await said(http.url)).toBe('at last')
  })
})
