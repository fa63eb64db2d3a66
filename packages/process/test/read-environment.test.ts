import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readEnvironment, withoutConsequences } from '../src/read-environment.ts'

const folder = mkdtempSync(join(tmpdir(), 'meridian-secrets-'))

function fileWith(content: string): string {
  const file = join(folder, `secret-${Math.random()}`)
  writeFileSync(file, content)
  return file
}

test('a secret is read from its file, without one newline at its end', () => {
  const { environment, problems } = readEnvironment({ JWT_SECRET_FILE: fileWith('two\nlines \n\n') })
  expect(environment['JWT_SECRET']).toBe('two\nlines \n')
  expect(problems).toEqual([])
})

test('an empty file counts as unset, as an empty value does', () => {
  const { environment } = readEnvironment({ REDIS_URL_FILE: fileWith('\n'), DATA_KEY: ' ' })
  expect(environment['REDIS_URL']).toBeUndefined()
  expect(environment['DATA_KEY']).toBeUndefined()
})

test('a secret that is set twice, or whose file cannot be read, is a problem that names no value', () => {
  const file = fileWith('hidden')
  const { problems } = readEnvironment({
    AUTH_SECRET: 'also hidden',
    AUTH_SECRET_FILE: file,
    DATABASE_URL_FILE: join(folder, 'missing'),
  })
  expect(problems).toEqual([
    'AUTH_SECRET: is set twice, also by AUTH_SECRET_FILE',
    'DATABASE_URL_FILE: cannot be read (ENOENT)',
  ])
})

test('what is no secret is not read from a file', () => {
  const { environment } = readEnvironment({ LOG_LEVEL_FILE: fileWith('debug') })
  expect(environment['LOG_LEVEL']).toBeUndefined()
})

test('a secret that cannot be read from its file is not missing as well', () => {
  const unreadable = 'JWT_SECRET_FILE: cannot be read (ENOENT)'
  const problems = [unreadable, 'JWT_SECRET: is required', 'JWT_SECRET is required', 'DATA_KEY: is required']
  expect(withoutConsequences(problems)).toEqual([unreadable, 'DATA_KEY: is required'])
})
