import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkout, inCheckout } from './checkout.mjs'
import { makeBaseImages, runOrRefuse } from './make-base-images.mjs'
import { Refusal } from './refusal.mjs'
import { runCommand } from './run-command.mjs'
import { say, step } from './show-progress.mjs'

const image = 'localhost/meridian-test-image'
const limitMb = 300

/** What builds and runs an image without a daemon. */
const tools = ['buildah', 'debootstrap', 'unshare', 'nsenter', 'chroot', 'ip']

/** @returns {Promise<string | null>} why no image can be built here */
async function findObstacle() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux'
  for (const tool of tools) {
    const { code } = await runCommand(['sh', '-c', `command -v ${tool}`])
    if (code !== 0) return `${tool} is missing (Debian: apt-get install buildah debootstrap iproute2)`
  }
  return null
}

/** The machine's own way to the npm registry, as secrets of the build. @param {string} folder @returns {Promise<string[]>} */
async function registrySecrets(folder) {
  const npmrc = join(folder, 'npmrc')
  const registry = await runOrRefuse(['npm', 'config', 'get', 'registry'])
  writeFileSync(npmrc, `registry=${registry}\n`, { mode: 0o600 })
  const { NODE_EXTRA_CA_CERTS: ca } = process.env
  return ['--secret', `id=npmrc,src=${npmrc}`, ...(ca ? ['--secret', `id=ca,src=${ca}`] : [])]
}

/** @param {{ build: string, runtime: string }} bases */
async function buildImage({ build, runtime }) {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-npm-'))
  try {
    const bases = ['--build-arg', `BUILD_IMAGE=${build}`, '--build-arg', `RUNTIME_IMAGE=${runtime}`]
    const names = ['--build-arg', 'MERIDIAN_VERSION=0.0.0-test', '--build-arg', 'MERIDIAN_COMMIT=test']
    await runOrRefuse([
      'buildah',
      'bud',
      ...['--pull-never', '--isolation=chroot', '--format', 'docker'],
      ...[...bases, ...names, ...(await registrySecrets(folder))],
      ...['--file', inCheckout('deploy/Containerfile'), '--tag', image, checkout],
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns {Promise<{ megabytes: number, config: any }>} */
async function inspectImage() {
  const { Docker: docker } = JSON.parse(await runOrRefuse(['buildah', 'inspect', '--type', 'image', image]))
  const list = JSON.parse(await runOrRefuse(['buildah', 'images', '--json', image]))
  const [, number = '', unit = ''] = /^([\d.]+) ?([KMG]B)$/.exec(list[0]?.size ?? '') ?? []
  return { megabytes: Number(number) * (unit === 'GB' ? 1000 : 1), config: docker.config }
}

/**
 * What a container runtime would take from the image.
 * @param {any} config
 * @param {string} root
 * @returns {import('./start-contained.mjs').Image}
 */
const imageOf = (config, root) => ({
  root,
  user: config.User,
  env: Object.fromEntries(config.Env.map((/** @type {string} */ line) => line.split(/=(.*)/s).slice(0, 2))),
  command: config.Entrypoint,
  healthcheck: config.Healthcheck.Test.slice(1),
})

/** Runs every program of the image where the only network is the loopback. @param {any} config */
async function runImage(config) {
  const container = await runOrRefuse(['buildah', 'from', '--pull-never', image])
  try {
    const root = await runOrRefuse(['buildah', 'mount', container])
    const alone = 'ip link set lo up && exec "$@"'
    const run = [process.execPath, inCheckout('scripts/run-image.mjs'), JSON.stringify(imageOf(config, root))]
    const { output } = await runCommand(['unshare', '--net', 'sh', '-c', alone, 'sh', ...run], {
      cwd: checkout,
    })
    const [report] = output.split('\n').slice(-1)
    if (!report?.startsWith('{')) throw new Refusal(`The image could not be run:\n${output.trim()}`)
    /** @type {import('./run-image.mjs').Report} */
    const read = JSON.parse(report)
    return read
  } finally {
    await runCommand(['buildah', 'rm', container])
  }
}

/** @param {Record<string, number>} figures */
function showFigures(figures) {
  for (const [what, number] of Object.entries(figures)) say(`  ${what}: ${number.toFixed(2)}`)
}

/**
 * Builds the image and runs every program of it: read-only, as its own user, without a network. Where that cannot be done
 * nobody has seen that the image works, and it does not count as passed.
 * @returns {Promise<import('./test.mjs').Seen>}
 */
export async function testImage() {
  const obstacle = await findObstacle()
  if (obstacle !== null) {
    say(`The image was neither built nor run: ${obstacle}.`)
    return { passed: 0, failed: 0, missing: obstacle }
  }
  try {
    const bases = await step('Making the base images', makeBaseImages)
    await step('Building the image', () => buildImage(bases))
    const { megabytes, config } = await inspectImage()
    const { passed, failures, figures } = await step('Running the image', () => runImage(config))
    showFigures({ megabytes, ...figures })
    const size =
      megabytes > 0 && megabytes < limitMb ? [] : [`image: it takes ${megabytes} MB, not under ${limitMb}`]
    const all = [...failures, ...size]
    return { passed: passed + 1 - size.length, failed: all.length, failures: all }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { passed: 0, failed: 1, failures: [error.message] }
  }
}
