import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { cloneDatabase } from '@meridian/db/testing'
import { claimPort, openSocket } from '@meridian/process'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { install, layFromRegistry, run } from './install.ts'
import { startApi } from './start-api.ts'
import { type Sandbox, startCommand } from './start-command.ts'

const modules = path.resolve(import.meta.dirname, '../../../node_modules')
const compiler = path.join(modules, 'typescript-native/bin/tsc')
const generator = path.join(modules, '@hey-api/openapi-ts/bin/run.js')

let project: string
let database: Awaited<ReturnType<typeof cloneDatabase>>
let sandbox: Sandbox
let api: Awaited<ReturnType<typeof startApi>>
let apiUrl: string

const writeJson = (name: string, value: unknown) =>
  writeFileSync(path.join(project, name), JSON.stringify(value))

const asStrict = {
  ...{ target: 'ES2022', lib: ['ES2022', 'DOM', 'DOM.Iterable'], types: ['node'] },
  ...{ module: 'nodenext', moduleResolution: 'nodenext', strict: true, skipLibCheck: true, outDir: 'made' },
}

/** An empty folder with the packed packages, the sandbox that is installed there, and an API that uses it. */
beforeAll(async () => {
  project = mkdtempSync(path.join(tmpdir(), 'meridian-walk-'))
  const dependencies = Object.fromEntries(
    Object.entries(inject('tarballs')).map(([name, file]) => [`@meridian/${name}`, `file:${file}`]),
  )
  writeJson('package.json', { name: 'another-system', private: true, dependencies })
  layFromRegistry(project, ['@types/node', 'fast-xml-parser', 'zod'])
  install(project)
  layFromRegistry(project, ['standardwebhooks'])
  const http = await openSocket()
  apiUrl = http.url
  sandbox = await startCommand(project, '--api', apiUrl, '--notify-url', `${apiUrl}/api/v1/payment/notify`)
  database = await cloneDatabase()
  const { databaseUrl } = database
  api = await startApi({ http, databaseUrl, settingsFile: sandbox.settingsFile })
})
afterAll(async () => {
  await api?.close()
  sandbox?.program.kill('SIGKILL')
  await database?.drop()
  rmSync(project, { recursive: true, force: true })
})

/** Generates a client from the document of the running API, and compiles the program that uses it. */
function makeProgram(): string {
  const document = `${apiUrl}/api/v1/openapi.json`
  const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk']
  run(project, process.execPath, generator, '-i', document, '-o', 'client', '-p', ...plugins)
  copyFileSync(path.join(import.meta.dirname, 'project/walk.ts'), path.join(project, 'walk.ts'))
  writeJson('tsconfig.json', { compilerOptions: asStrict, files: ['walk.ts'] })
  run(project, process.execPath, compiler, '-p', '.')
  return path.join(project, 'made/walk.js')
}

test('a generated client buys with the sandbox, its system receives order.paid and asks by serial number', async () => {
  const program = makeProgram()
  const { port, release } = await claimPort()
  const { key: apiKey } = await api.owner.apiKey.create.mutate({
    name: 'another system',
    scopes: ['entitlements:read'],
  })
  const { secret } = await api.owner.webhooks.create.mutate({
    url: `http://127.0.0.1:${port}/meridian`,
    description: 'another system',
    types: ['order.paid'],
  })
  const given = { apiUrl, sandboxUrl: sandbox.url, apiKey, secret, port }
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(given)], {
    cwd: project,
    timeout: 60_000,
  }).finally(release)
  expect(JSON.parse(stdout)).toEqual({
    ...{ type: 'order.paid', isOfOrder: true, isOfAmount: true, isForgeryRefused: true },
    entitlement: {
      active: true,
      days: expect.any(Number),
      reason: 'active_until',
      nobody: 'user_not_found',
    },
  })
})
