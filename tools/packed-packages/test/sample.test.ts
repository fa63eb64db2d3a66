import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { install, layFromRegistry, run } from './install.ts'

const original = path.resolve(import.meta.dirname, '../../../examples/miniprogram')
/** What the sample takes from the registry besides the client. */
const fromRegistry = ['miniprogram-api-typings', 'typescript']

let sample: string

/** The sample as somebody has it who did what its README says. */
beforeAll(() => {
  sample = mkdtempSync(path.join(tmpdir(), 'meridian-sample-'))
  cpSync(original, sample, { recursive: true, filter: (file) => !/node_modules|\.tgz$/.test(file) })
  cpSync(inject('tarballs')['miniprogram-client'], path.join(sample, 'meridian-miniprogram-client.tgz'))
  layFromRegistry(sample, fromRegistry)
  install(sample)
})
afterAll(() => rmSync(sample, { recursive: true, force: true }))

test('nothing is installed with the client', () => {
  const installed = readdirSync(path.join(sample, 'node_modules')).filter((name) => !name.startsWith('.'))
  expect(installed).toEqual(['@meridian', ...fromRegistry])
})

test('the sample, made as its README says, compiles with its own settings, and refuses what the client does', () => {
  run(sample, 'npm', 'run', 'typecheck')
  const page = path.join(sample, 'miniprogram/app.ts')
  writeFileSync(page, `${readFileSync(page, 'utf8')}\nvoid meridian.pay(1)\n`)
  expect(() => run(sample, 'npm', 'run', 'typecheck')).toThrow('miniprogram/app.ts(')
})
