import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../src/config.ts'

const secret = 'a'.repeat(32)

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('the settings', () => {
  test('have defaults for everything but the secret', () => {
    expect(readConfig({ AUTH_SECRET: secret })).toEqual({
      apiUrl: 'http://127.0.0.1:4000',
      consoleUrl: 'http://127.0.0.1:3000',
      authSecrets: [secret],
      port: 3000,
      host: '0.0.0.0',
      metrics: { port: 9465, host: '127.0.0.1' },
      trustedProxies: [],
      drainSeconds: 5,
      build: { version: 'checkout', commit: 'unknown' },
    })
  })

  test('count an empty value as unset', () => {
    const config = readConfig({ AUTH_SECRET: secret, API_URL: '', ADMIN_PORT: ' ', HOST: '' })
    expect(config).toMatchObject({ apiUrl: 'http://127.0.0.1:4000', port: 3000, host: '0.0.0.0' })
  })

  test('give one line for each problem, which names the variable and never its value', () => {
    const problems = problemsOf({
      AUTH_SECRET: 'short-secret',
      CONSOLE_URL: 'not an address',
      API_URL: 'http://api.example/path',
      ADMIN_PORT: '99999',
      TRUST_PROXY: '10.0.0.0/99',
    })
    expect(problems.map((line) => line.split(' ')[0])).toEqual([
      'API_URL',
      'CONSOLE_URL',
      'AUTH_SECRET',
      'ADMIN_PORT',
      'TRUST_PROXY',
    ])
    expect(problems.join()).not.toMatch(/short-secret|not an address|example|99999|10\.0\.0\.0/)
  })

  test.each(['0.0.0.0/0', '::/0', '10.0.0.0/8,::ffff:0:0/96'])(
    'do not trust %s, which is everybody',
    (networks) => {
      const problems = problemsOf({ AUTH_SECRET: secret, TRUST_PROXY: networks })
      expect(problems.map((line) => line.split(' ')[0])).toEqual(['TRUST_PROXY'])
    },
  )

  test('take several secrets while one is being rotated, newest first, none of them short', () => {
    const newer = 'n'.repeat(32)
    expect(readConfig({ AUTH_SECRET: `${newer}, ${secret}` }).authSecrets).toEqual([newer, secret])
    expect(problemsOf({ AUTH_SECRET: `${newer},short` })).toEqual([
      'AUTH_SECRET must have 32 bytes or more, each of them where there are several',
    ])
  })

  test('ask for the secret when it is missing', () => {
    expect(problemsOf({})).toEqual(['AUTH_SECRET is required'])
  })

  test('take the secret from a file, and say in one line when it cannot be read or is given twice', () => {
    const folder = mkdtempSync(join(tmpdir(), 'meridian-console-'))
    const file = join(folder, 'secret')
    writeFileSync(file, `${secret}\n`)
    expect(readConfig({ AUTH_SECRET_FILE: file }).authSecrets).toEqual([secret])
    expect(problemsOf({ AUTH_SECRET_FILE: join(folder, 'missing') })).toEqual([
      'AUTH_SECRET_FILE: cannot be read (ENOENT)',
    ])
    expect(problemsOf({ AUTH_SECRET_FILE: file, AUTH_SECRET: secret })).toEqual([
      'AUTH_SECRET: is set twice, also by AUTH_SECRET_FILE',
    ])
    rmSync(folder, { recursive: true })
  })
})
