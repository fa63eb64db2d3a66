import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clusterUser } from '@meridian/embedded-postgres/testing'
import { makeServersFolder, runAsServer } from './run-as-server.ts'

const shipped = fileURLToPath(new URL('../../deploy/pgbackrest/', import.meta.url))
export const stanza = '--stanza=meridian'

/** Only in a drill: this repository is gone in minutes. */
const drillPassPhrase = 'restore-drill-pass-phrase'

export type Place = { folder: string; dataFolder: string; socketFolder: string; port: number }

export type PgBackRest = {
  /** Settings of PostgreSQL, as deploy/ ships them. */
  serverSettings: Readonly<Record<string, string>>
  run: (command: string, ...options: string[]) => Promise<string>
  stop: () => Promise<void>
}

export type Prepare = (program: string, place: Place) => Promise<PgBackRest>

/** What a line of these files sets. */
const settingIn = (line: string) => /^([a-z0-9_-]+) ?= ?(.*)$/.exec(line)

export type Changes = {
  /** The file below deploy/pgbackrest. */
  shippedFile: string
  /** Other values for what it sets: where things lie here. */
  places: Readonly<Record<string, string>>
  /** Lines that are left out: of other machines, or of another kind of repository. */
  without?: RegExp
  /** What nobody sets in production, as further sections. */
  beside: readonly string[]
}

/**
 * A shipped configuration as it is, but for where things lie.
 * @throws Error where the shipped file does not set what is to be changed
 */
export function changeShipped({ shippedFile, places, without, beside }: Changes): string {
  const lines = readFileSync(join(shipped, shippedFile), 'utf8')
    .split('\n')
    .filter((line) => !without?.test(line))
  const local = lines.map((line) => {
    const name = settingIn(line)?.[1] ?? ''
    return name in places ? `${name}=${places[name]}` : line
  })
  const untouched = Object.keys(places).filter((name) => !local.includes(`${name}=${places[name]}`))
  if (untouched.length > 0) throw new Error(`${shippedFile} does not set ${untouched.join(', ')}`)
  return [...local, ...beside, ''].join('\n')
}

/** How pgBackRest reaches the server: by its socket, as its superuser. */
export const reachServer = ({ socketFolder }: Pick<Place, 'socketFolder'>): string[] => [
  '[meridian]',
  `pg1-socket-path=${socketFolder}`,
  `pg1-user=${clusterUser}`,
]

/** The secrets of a repository of the drill, and folders of its own for its log and its locks. */
export const keepApart = (folder: string): string[] => [
  '[global]',
  ...['log-path', 'lock-path'].map((name) => `${name}=${makeServersFolder(join(folder, name))}`),
]
export const passPhrase = `repo1-cipher-pass=${drillPassPhrase}`

/** deploy/pgbackrest/object-storage, with the repository in a folder instead of a bucket, the server on another port. */
const localConfiguration = ({ folder, dataFolder, socketFolder, port }: Place): string =>
  changeShipped({
    shippedFile: 'object-storage/pgbackrest.conf',
    places: {
      'repo1-type': 'posix',
      'repo1-path': makeServersFolder(join(folder, 'repository')),
      'spool-path': makeServersFolder(join(folder, 'spool')),
      'pg1-path': dataFolder,
      'pg1-port': String(port),
    },
    without: /^repo1-s3-/,
    beside: [...reachServer({ socketFolder }), ...keepApart(folder), passPhrase],
  })

/** deploy/pgbackrest/postgresql.conf, with the archive_command told where this configuration lies. */
export function shippedSettings(configuration: string): Record<string, string> {
  const lines = readFileSync(join(shipped, 'postgresql.conf'), 'utf8').split('\n')
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value = ''] = settingIn(line) ?? []
      const bare = value
        .replace(/^'(.*)'$/, '$1')
        .replace(/^pgbackrest /, `pgbackrest --config=${configuration} `)
      return name === undefined ? [] : [[name, bare]]
    }),
  )
}

/** Writes a configuration where the server's user can read it; answers its path. */
export function writeConfiguration(file: string, text: string): string {
  writeFileSync(file, text)
  chmodSync(file, 0o644)
  return file
}

/** pgBackRest with a repository of its own below this folder. */
export async function preparePgBackRest(program: string, place: Place): Promise<PgBackRest> {
  const configuration = writeConfiguration(join(place.folder, 'pgbackrest.conf'), localConfiguration(place))
  return {
    serverSettings: shippedSettings(configuration),
    run: (command, ...options) =>
      runAsServer(program, [`--config=${configuration}`, stanza, ...options, command]),
    stop: async () => undefined,
  }
}
