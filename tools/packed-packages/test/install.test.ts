import { once } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { install, layFromRegistry, run } from './install.ts'
import { type Sandbox, startCommand } from './start-command.ts'

const compiler = path.resolve(import.meta.dirname, '../../../node_modules/typescript-native/bin/tsc')
const fixture = (name: string) => path.join(import.meta.dirname, 'project', name)

const strict = { target: 'ES2022', lib: ['ES2022'], types: ['node'], strict: true, skipLibCheck: false }
const bothForms = ['use-packages.mts', 'use-packages.cts']

let project: string
let sandbox: Sandbox

const writeJson = (name: string, value: unknown) =>
  writeFileSync(path.join(project, name), JSON.stringify(value))

/** Compiles as somebody does who resolves modules in this way. */
function compile(way: { module: string; moduleResolution: string }, files: string[], rest: object): string {
  const config = `tsconfig.${way.moduleResolution}.json`
  writeJson(config, { compilerOptions: { ...strict, ...way, ...rest }, files })
  return run(project, process.execPath, compiler, '-p', config)
}

/** A project of somebody else: nothing in it but the three tarballs and what they need of the registry. */
beforeAll(async () => {
  project = mkdtempSync(path.join(tmpdir(), 'meridian-project-'))
  const tarballs = Object.entries(inject('tarballs'))
  const dependencies = Object.fromEntries(
    tarballs.map(([name, file]) => [`@meridian/${name}`, `file:${file}`]),
  )
  writeJson('package.json', { name: 'somebody-elses-project', private: true, dependencies })
  layFromRegistry(project, ['@types/node', 'fast-xml-parser', 'zod'])
  install(project)
  for (const name of bothForms) copyFileSync(fixture('use-packages.ts'), path.join(project, name))
  copyFileSync(fixture('misuse.ts'), path.join(project, 'misuse.mts'))
  compile({ module: 'nodenext', moduleResolution: 'nodenext' }, bothForms, { outDir: 'made' })
  sandbox = await startCommand(project)
})
afterAll(() => {
  sandbox?.program.kill('SIGKILL')
  rmSync(project, { recursive: true, force: true })
})

test('the types hold under strict where a bundler resolves the modules', () => {
  compile({ module: 'ESNext', moduleResolution: 'bundler' }, ['use-packages.mts'], { noEmit: true })
})

test('the types hold under strict in both kinds of modules where Node 16 resolves them', () => {
  compile({ module: 'node16', moduleResolution: 'node16' }, bothForms, { noEmit: true })
})

test('what the types do not allow is refused, line by line', () => {
  const way = { module: 'nodenext', moduleResolution: 'nodenext' }
  expect(() => compile(way, ['misuse.mts'], { noEmit: true })).toThrow(
    /misuse\.mts\(5,\d+\): error TS2322(.|\n)*misuse\.mts\(6,\d+\): error TS2554/,
  )
})

test.each(['mjs', 'cjs'])(
  'pays and verifies at the installed sandbox, and logs in, as .%s',
  async (ending) => {
    const { url, settingsFile } = sandbox
    const program = path.join(project, 'made', `use-packages.${ending}`)
    const folder = path.join(project, `state-${ending}`)
    const told = run(project, process.execPath, program, url, settingsFile, folder)
    expect(JSON.parse(told)).toEqual({
      paid: { notifiedFen: 2900, forged: 'bad_signature', queried: 'paid' },
      client: { asked: '/api/v1/auth/login {"code":"a-code"}', problem: 'unreachable' },
      started: { platform: 200, page: 200, drops: true },
    })
  },
)

test('the command serves the page, says what it takes, and refuses what it does not know', async () => {
  const page = await fetch(`${sandbox.url}/`)
  expect(await page.text()).toContain('/phone/phone.js')
  const script = await fetch(`${sandbox.url}/phone/phone.js`)
  expect([page.status, script.status]).toEqual([200, 200])
  const command = path.join(project, 'node_modules/.bin/meridian-sandbox')
  expect(run(project, command, '--help')).toContain('--port')
  expect(() => run(project, command, '--prot', '1')).toThrow('--prot')
  expect(() => run(project, command, '--port', 'x')).toThrow('from 0 to 65535')
  expect(() => run(project, command, '--port', new URL(sandbox.url).port)).toThrow('in use')
})

test('the command ends on Ctrl-C and leaves what it keeps', async () => {
  const ended = once(sandbox.program, 'exit')
  sandbox.program.kill('SIGINT')
  expect(await ended).toEqual([0, null])
  expect(existsSync(path.join(project, '.meridian-sandbox/platform.jsonl'))).toBe(true)
})
