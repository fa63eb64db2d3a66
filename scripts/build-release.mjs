import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildPrograms } from './build-programs.mjs'
import { checkRelease } from './check-release.mjs'
import { checkout, dataFolder, inCheckout } from './checkout.mjs'
import { collectPrograms } from './collect-packages.mjs'
import { holdLock } from './hold-lock.mjs'
import { Refusal } from './refusal.mjs'
import { runCommand } from './run-command.mjs'
import { say, step } from './show-progress.mjs'
import { writeNotices } from './write-notices.mjs'

/** The folder that runs with nothing but Node: `node dist/meridian.js <program>`. */
export const release = inCheckout('dist')

/** `npm run build`: everything that ships, in one folder; the same files for the same sources. */
export async function buildRelease() {
  await buildPrograms()
  const { problems, packages, megabytes } = await holdLock(join(dataFolder, 'release.lock'), () =>
    step('Collecting dist/', async () => {
      await collectRelease()
      return checkRelease(release)
    }),
  )
  if (problems.length > 0) throw new Refusal(`dist/ must not ship:\n${problems.join('\n')}`)
  say(
    `dist/ has ${packages} packages and ${megabytes.toFixed(0)} MB. Run it: node dist/meridian.js <program>; --help lists them.`,
  )
  return 0
}

async function collectRelease() {
  rmSync(release, { recursive: true, force: true })
  mkdirSync(release)
  await collectPrograms(
    [
      'apps/api/dist/main.js',
      ...commandFiles(),
      'tools/sandbox/dist/sandbox.js',
      'apps/admin/dist/serve-console.js',
    ],
    release,
  )
  cpSync(inCheckout('tools/sandbox/dist/phone'), join(release, 'sandbox/phone'), { recursive: true })
  collectConsole()
  for (const file of ['meridian.js', 'healthcheck.js'])
    cpSync(inCheckout('deploy/image', file), join(release, file))
  cpSync(inCheckout('LICENSE'), join(release, 'LICENSE'))
  writeNotices(join(release, 'THIRD-PARTY-NOTICES.txt'))
  await describeRelease()
}

const commandFiles = () =>
  readdirSync(inCheckout('apps/api/src/commands')).map(
    (name) => `apps/api/dist/commands/${name.replace(/\.ts$/, '.js')}`,
  )

/** Where Next says what its build needs to run, in folders as they are in the checkout. */
const standalone = inCheckout('apps/admin/.next/standalone')

/** Never called: no page has an image that is made smaller (`images.unoptimized`). */
const unused = /\/node_modules\/(sharp|@img)(\/|$)/

function collectConsole() {
  cpSync(join(standalone, 'node_modules'), join(release, 'node_modules'), {
    recursive: true,
    filter: (file) => !unused.test(file),
  })
  const built = join(release, 'console/.next')
  cpSync(join(standalone, 'apps/admin/.next'), built, { recursive: true })
  cpSync(inCheckout('apps/admin/.next/static'), join(built, 'static'), { recursive: true })
  forgetFolders(join(built, 'required-server-files.json'))
}

/**
 * Next writes down in which folder it has built and on how many processors; a release is the same wherever it was built.
 * @param {string} file
 */
function forgetFolders(file) {
  const { config, ...more } = JSON.parse(readFileSync(file, 'utf8'))
  const { outputFileTracingRoot: _traced, repoRoot: _root, turbopack: _turbopack, ...kept } = config
  delete kept.experimental.cpus
  const text = JSON.stringify({ ...more, appDir: '.', config: kept })
  if (text.includes(checkout)) throw new Refusal(`${file} names the folder of this checkout`)
  writeFileSync(file, text)
}

/** @param {string[]} args @returns {Promise<string>} what git says of this checkout; nothing where there is no git */
async function askGit(args) {
  const { code, output } = await runCommand(['git', ...args], { cwd: checkout }).catch(() => ({
    code: 1,
    output: '',
  }))
  return code === 0 ? output.trim() : ''
}

/** Which release this is, and every file as old as its commit, so that an image of it is the same again. */
async function describeRelease() {
  const { version } = JSON.parse(readFileSync(inCheckout('package.json'), 'utf8'))
  const { MERIDIAN_VERSION: named, MERIDIAN_COMMIT: commit, SOURCE_DATE_EPOCH: madeAt } = process.env
  const build = {
    version: named || version,
    commit: commit || (await askGit(['rev-parse', 'HEAD'])) || 'unknown',
  }
  const manifest = { name: 'meridian', version: build.version, private: true, type: 'module' }
  writeFileSync(join(release, 'build.json'), `${JSON.stringify(build)}\n`)
  writeFileSync(join(release, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const seconds = Number(madeAt || (await askGit(['log', '-1', '--format=%ct'])) || 0)
  if (seconds === 0) return
  for (const file of readdirSync(release, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(release, file), seconds, seconds)
}
