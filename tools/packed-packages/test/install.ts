import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { offline } from './pack-all.ts'

const modules = path.resolve(import.meta.dirname, '../../../node_modules')

const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).default({}),
})

/** Runs a command in a folder, with no network, and answers what it prints. Throws all it says where it fails. */
export function run(cwd: string, command: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, words, { cwd, encoding: 'utf8', env: offline })
  if (status !== 0) throw new Error(`${[command, ...words].join(' ')}: ${status}\n${stdout}${stderr}`)
  return stdout
}

/**
 * Lays packages of the registry, and what they need, where npm would: out of our own installation, so that no test asks
 * the network.
 */
export function layFromRegistry(project: string, names: readonly string[]): void {
  for (const name of names) {
    const laid = path.join(project, 'node_modules', name)
    if (existsSync(laid)) continue
    const ours = realpathSync(path.join(modules, name))
    mkdirSync(path.dirname(laid), { recursive: true })
    cpSync(ours, laid, { recursive: true, dereference: true })
    const { dependencies, bin } = Manifest.parse(
      JSON.parse(readFileSync(path.join(ours, 'package.json'), 'utf8')),
    )
    linkPrograms(project, name, typeof bin === 'string' ? { [path.basename(name)]: bin } : bin)
    layFromRegistry(project, Object.keys(dependencies))
  }
}

/** Links a package's programs: npm takes a package without them for broken, and fetches it anew. */
function linkPrograms(project: string, name: string, programs: Record<string, string>): void {
  const links = path.join(project, 'node_modules/.bin')
  mkdirSync(links, { recursive: true })
  for (const [program, file] of Object.entries(programs))
    symlinkSync(path.join('..', name, file), path.join(links, program))
}

/** Installs what the project's package.json names; everything of the registry has to be there already. */
export const install = (project: string): string => run(project, 'npm', 'install', '--no-audit', '--no-fund')
