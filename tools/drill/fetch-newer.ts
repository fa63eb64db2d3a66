import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The release of Debian after the one that has Patroni 3.0.2 and PgBouncer 1.18. */
const suite = 'trixie'
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg'

/** Both programs, and the C libraries PgBouncer runs with: those of the machine are too old for it. */
const packages = [
  ...['patroni', 'pgbouncer', 'libc6', 'libcares2', 'libevent-2.1-7t64', 'libpam0g', 'libssl3t64'],
  ...['libsystemd0', 'libcap2', 'libaudit1', 'libcap-ng0', 'libzstd1', 'zlib1g', 'liblzma5', 'liblz4-1'],
  ...['libgcrypt20', 'libgpg-error0'],
]

/** Where this machine has its own Debian packages from. @throws Error on a machine that is no Debian */
function ownMirror(): string {
  const format = '$(ORIGIN) $(REPO_URI)'
  const targets = execFileSync('apt-get', ['indextargets', '--format', format, 'Identifier: Packages'], {
    encoding: 'utf8',
  })
  const [, mirror] = /^Debian (\S+\/debian\/)$/m.exec(targets) ?? []
  if (mirror === undefined) throw new Error('This machine has no mirror of Debian to fetch packages from')
  return mirror
}

/** Downloads and unpacks them into this folder, with an apt configuration of its own: nothing is installed. */
export function fetchNewer(folder: string): void {
  const place = (name: string) => join(folder, name)
  for (const name of ['lists/partial', 'cache/archives/partial', 'packages'])
    mkdirSync(place(name), { recursive: true })
  writeFileSync(place('sources.list'), `deb [signed-by=${keyring}] ${ownMirror()} ${suite} main\n`)
  writeFileSync(place('status'), '')
  const settings = {
    'Dir::Etc::sourcelist': place('sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'Dir::State::lists': place('lists'),
    'Dir::State::status': place('status'),
    'Dir::Cache': place('cache'),
    'APT::Sandbox::User': 'root',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const apt = (...args: readonly string[]) =>
    execFileSync('apt-get', [...options, '--quiet', ...args], { cwd: place('packages'), stdio: 'inherit' })
  apt('update')
  apt('download', ...packages)
  for (const name of readdirSync(place('packages')))
    execFileSync('dpkg', ['-x', join(place('packages'), name), folder])
}
