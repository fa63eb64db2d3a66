import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { commandNames } from '../commands.mjs'
import { programs } from '../run-program.mjs'

const root = join(import.meta.dirname, '../..')
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const manifest: { scripts: Record<string, string> } = JSON.parse(textOf('package.json'))
const scripts = Object.entries(manifest.scripts)

test('every script of npm is a command of scripts/', async () => {
  const names = await commandNames()
  const unknown = scripts.filter(([, line]) => {
    const [, name = ''] = /^exec node scripts\/bootstrap\.mjs ([\w:]+)( --[\w-]+)?$/.exec(line) ?? []
    return !names.includes(name)
  })
  expect(unknown).toEqual([])
})

test('every command can be called by npm', async () => {
  const called = scripts.map(([, line]) => line.split(' ')[3])
  expect((await commandNames()).filter((name) => !called.includes(name))).toEqual([])
})

test('every script of npm is explained to whoever runs or changes Meridian', () => {
  const guides = `${textOf('README.md')}\n${textOf('CONTRIBUTING.md')}`
  const called = (name: string) => (name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`)
  const silent = scripts.filter(([name]) => !new RegExp(`\`${called(name)}(?![\\w:-])`).test(guides))
  expect(silent.map(([name]) => name)).toEqual([])
})

test('what needs settings of the platform gets those of npm start', () => {
  const needing = Object.entries(programs).filter(
    ([, { source = '' }]) =>
      source.includes('/commands/') && /readConfig\(|readEnvironment\(/.test(textOf(source)),
  )
  expect(needing.map(([name]) => name)).toEqual(expect.arrayContaining(['import', 'ledger:verify']))
  expect(needing.filter(([, { asStarted }]) => !asStarted).map(([name]) => name)).toEqual([])
})

test('every path that has an owner exists', () => {
  const paths = textOf('.github/CODEOWNERS')
    .split('\n')
    .flatMap((line) => /^\/(\S+)/.exec(line)?.[1] ?? [])
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('every workspace and every folder with programs has a README of what it is and must never do', () => {
  const manifests = execFileSync('git', ['ls-files', '*package.json', '*tsconfig.json'], {
    cwd: root,
    encoding: 'utf8',
  })
  const folders = [...new Set(manifests.trim().split('\n').map(dirname))].filter(
    (folder) => folder !== '.' && folder !== 'scripts',
  )
  expect(folders.length).toBeGreaterThan(10)
  const without = folders.filter((folder) => !existsSync(join(root, folder, 'README.md')))
  expect(without).toEqual([])
})
