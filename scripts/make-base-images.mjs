import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataFolder, inCheckout } from './checkout.mjs'
import { Refusal } from './refusal.mjs'
import { runCommand } from './run-command.mjs'
import { findNewerNode, shippedNode } from './test-newer-node.mjs'

const suite = 'bookworm'

/** As the slim images of Debian have it. */
const leftOut = ['usr/share/doc', 'usr/share/man', 'usr/share/info', 'usr/share/locale', 'usr/share/lintian']
const emptied = ['var/lib/apt/lists', 'var/cache/apt', 'var/cache/debconf', 'var/log']

/** @param {readonly [string, ...string[]]} command @returns {Promise<string>} what it wrote */
export async function runOrRefuse(command) {
  const { code, output } = await runCommand(command)
  if (code !== 0) throw new Refusal(`${command.slice(0, 3).join(' ')} has failed:\n${output.trim()}`)
  return output.trim()
}

/** The mirror that this machine itself uses for that suite, or Debian's own. @returns {Promise<string[]>} */
async function findMirror() {
  const wanted = [`Codename: ${suite}`, 'Component: main', 'Created-By: Packages']
  const { output } = await runCommand(['apt-get', 'indextargets', '--format', '$(REPO_URI)', ...wanted])
  return output.split('\n').slice(0, 1).filter(Boolean)
}

/**
 * Puts the files of a folder into an image that stands on nothing.
 * @param {string} folder
 * @param {string} name
 */
async function importFolder(folder, name) {
  const container = await runOrRefuse(['buildah', 'from', 'scratch'])
  await runOrRefuse(['buildah', 'add', '--quiet', container, folder, '/'])
  await runOrRefuse(['buildah', 'commit', '--quiet', '--rm', '--format', 'docker', container, name])
}

/** The packages of Debian that are essential, and nothing that only a person reads. @param {string} folder */
async function installDebian(folder) {
  await runOrRefuse(['debootstrap', '--variant=minbase', suite, folder, ...(await findMirror())])
  for (const place of leftOut) rmSync(join(folder, place), { recursive: true, force: true })
  for (const place of emptied) {
    rmSync(join(folder, place), { recursive: true, force: true })
    mkdirSync(join(folder, place))
  }
}

/** Node as it ships, and the npm that this repository names, where the official images have them. @param {string} folder */
async function installNode(folder) {
  const node = await findNewerNode()
  if (node === null) throw new Refusal(`Node ${shippedNode} is not to be had for this machine.`)
  const { packageManager } = JSON.parse(readFileSync(inCheckout('package.json'), 'utf8'))
  const npm = join(dataFolder, 'npm')
  if (!existsSync(join(npm, 'node_modules/npm')))
    await runOrRefuse([
      'npm',
      'install',
      '--prefix',
      npm,
      '--no-save',
      '--no-audit',
      '--no-fund',
      packageManager,
    ])
  cpSync(node, join(folder, 'usr/local/bin/node'))
  cpSync(join(npm, 'node_modules/npm'), join(folder, 'usr/local/lib/node_modules/npm'), { recursive: true })
  await runOrRefuse(['ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/local/bin/npm')])
}

/**
 * Stands in for the official images where no registry of images can be reached: Debian by debootstrap, Node from the npm
 * registry. Made once for each version of Node.
 * @returns {Promise<{ build: string, runtime: string }>} their names
 */
export async function makeBaseImages() {
  const images = {
    build: `localhost/meridian-test-node:${shippedNode}`,
    runtime: `localhost/meridian-test-debian:${suite}`,
  }
  const { code } = await runCommand(['buildah', 'inspect', '--type', 'image', images.build])
  if (code === 0) return images
  const folder = mkdtempSync(join(tmpdir(), 'meridian-base-'))
  try {
    await installDebian(folder)
    await importFolder(folder, images.runtime)
    await installNode(folder)
    await importFolder(folder, images.build)
    return images
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
