import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { afterAll, beforeAll, expect, test } from 'vitest'

const here = path.resolve(import.meta.dirname, '..')
const original = path.resolve(here, '../../examples/miniprogram')
/** What the sample takes from the registry besides the client: here it comes from our own installation. */
const fromRegistry = ['miniprogram-api-typings', 'typescript']
const installed = (name: string) =>
  path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))

let folder: string
let sample: string
let tarball: string

const run = (cwd: string, command: string, ...words: string[]): string =>
  execFileSync(command, words, {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, npm_config_offline: 'true' },
  })

/** With the links to its programs: npm takes a package without them for broken, and fetches it anew. */
function copyInstalled(name: string, modules: string): void {
  cpSync(installed(name), path.join(modules, name), { recursive: true, dereference: true })
  const programs = path.join(modules, name, 'bin')
  mkdirSync(path.join(modules, '.bin'), { recursive: true })
  for (const program of existsSync(programs) ? readdirSync(programs) : [])
    symlinkSync(path.join('..', name, 'bin', program), path.join(modules, '.bin', program))
}

/** The sample as somebody has it who did what its README says, with no network. */
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'meridian-client-'))
  sample = path.join(folder, 'sample')
  run(here, process.execPath, 'build.mjs', path.join(folder, 'built'))
  run(folder, 'npm', 'pack', './built')
  tarball = path.join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
  cpSync(original, sample, { recursive: true, filter: (file) => !/node_modules|\.tgz$/.test(file) })
  cpSync(tarball, path.join(sample, 'meridian-miniprogram-client.tgz'))
  for (const name of fromRegistry) copyInstalled(name, path.join(sample, 'node_modules'))
  run(sample, 'npm', 'install', '--no-audit', '--no-fund')
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the packed client is found with its types by every way of resolving a module', async () => {
  const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  expect(checked.types).toMatchObject({ kind: 'included' })
  expect('problems' in checked && checked.problems).toEqual([])
})

test('the packed client is what both kinds of modules load', () => {
  const tell =
    "console.log(Object.entries(client).map(([name, value]) => name + ' ' + typeof value).sort().join())"
  const required = `const client = require('@meridian/miniprogram-client'); ${tell}`
  const imported = `import * as client from '@meridian/miniprogram-client'; ${tell}`
  const known =
    'ProblemError function,createClient function,isProblem function,onFetch function,onWx function'
  expect(run(sample, process.execPath, '--input-type=commonjs', '-e', required).trim()).toBe(known)
  expect(run(sample, process.execPath, '--input-type=module', '-e', imported).trim()).toBe(known)
})

test('the packed client takes nothing with it but its code, its types and its words', () => {
  const modules = path.join(sample, 'node_modules')
  const client = path.join(modules, '@meridian/miniprogram-client')
  const files = readdirSync(client, { recursive: true, encoding: 'utf8' })
  const known = /^(esm|cjs)$|\.d\.ts$|\/index\.js$|package\.json$|^README(\.zh-CN)?\.md$/
  expect(files.filter((name) => !known.test(name))).toEqual([])
  expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['@meridian', ...fromRegistry])
})

test('the sample, made as its README says, compiles with its own settings, and refuses what the client does', () => {
  run(sample, 'npm', 'run', 'typecheck')
  const page = path.join(sample, 'miniprogram/app.ts')
  writeFileSync(page, `${readFileSync(page, 'utf8')}\nvoid meridian.pay(1)\n`)
  expect(() => run(sample, 'npm', 'run', 'typecheck')).toThrow('npm run typecheck')
})
