import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { config } from './config.ts'

const cache = join(config.checkout, '.data/drill-releases')

const run = (cwd: string, file: string, ...args: string[]): string =>
  execFileSync(file, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()

const git = (...args: string[]) => run(config.checkout, 'git', ...args)

/** The newest tag; without tags the commit in which the previous release was recorded (packages/db/previous-release). */
function lastRelease(): string {
  try {
    return git('describe', '--tags', '--abbrev=0')
  } catch {
    return git('log', '-1', '--format=%H', '--', 'packages/db/previous-release/release.json')
  }
}

/** Every folder of the checkout that has packages of its own. */
const withPackages = (): string[] => [
  '.',
  ...['apps', 'packages', 'tools'].flatMap((parent) =>
    readdirSync(join(config.checkout, parent)).map((name) => join(parent, name)),
  ),
]

/** The same lockfile needs the same packages: they are linked; another one installs its own. */
function installPackages(folder: string): void {
  const lock = (checkout: string) => readFileSync(join(checkout, 'package-lock.json'), 'utf8')
  if (lock(folder) !== lock(config.checkout)) {
    run(folder, 'npm', 'ci', '--include=dev', '--ignore-scripts')
    return
  }
  for (const place of withPackages()) {
    const source = join(config.checkout, place, 'node_modules')
    if (!existsSync(source) || !existsSync(join(folder, place))) continue
    const target = join(folder, place, 'node_modules')
    run(folder, 'mkdir', '-p', target)
    for (const name of readdirSync(source))
      if (name !== '.cache') run(folder, 'cp', '-al', join(source, name), target)
  }
}

/**
 * Builds the API of this commit in a working tree of its own, once; answers its folder.
 * @param named commit, tag or branch; by default the last release
 */
export function buildPrevious(named?: string): { commit: string; folder: string } {
  const commit = git('rev-parse', '--short=12', `${named ?? lastRelease()}^{commit}`)
  const folder = join(cache, commit)
  if (existsSync(join(folder, 'apps/api/dist/main.js'))) return { commit, folder }
  run(config.checkout, 'rm', '-rf', folder)
  git('worktree', 'prune')
  git('worktree', 'add', '--detach', folder, commit)
  installPackages(folder)
  run(folder, process.execPath, 'node_modules/turbo/bin/turbo', 'run', 'build', '--filter=@meridian/api')
  return { commit, folder }
}
