import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clusterUser } from '@meridian/embedded-postgres/testing'
import { makeServersFolder, runAsServer } from './run-as-server.ts'

const shipped = fileURLToPath(new URL('../../deploy/pgbackrest/', import.meta.url))
const stanza = '--stanza=meridian'

/** Only in a drill: this repository is gone in minutes. */
const drillPassPhrase = 'restore-drill-pass-phrase'

export type Place = { folder: string; dataFolder: string; socketFolder: string; port: number }

export type PgBackRest = {
  /** Settings of PostgreSQL, as deploy/ ships them. */
  serverSettings: Readonly<Record<string, string>>
  run: (command: string, ...options: string[]) => Promise<string>
}

/** What a line of these files sets. */
const settingIn = (line: string) => /^([a-z0-9_-]+) ?= ?(.*)$/.exec(line)

/**
 * The configuration of deploy/pgbackrest/object-storage as it is, but for where things lie: the repository in a folder
 * instead of a bucket, the server on another port.
 */
function localConfiguration({ folder, dataFolder, socketFolder, port }: Place): string {
  const places: Record<string, string> = {
    'repo1-type': 'posix',
    'repo1-path': makeServersFolder(join(folder, 'repository')),
    'spool-path': makeServersFolder(join(folder, 'spool')),
    'pg1-path': dataFolder,
    'pg1-port': String(port),
  }
  const lines = readFileSync(join(shipped, 'object-storage/pgbackrest.conf'), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('repo1-s3-'))
  const local = lines.map((line) => {
    const name = settingIn(line)?.[1] ?? ''
    return name in places ? `${name}=${places[name]}` : line
  })
  const untouched = Object.keys(places).filter((name) => !local.includes(`${name}=${places[name]}`))
  if (untouched.length > 0) throw new Error(`The shipped configuration does not set ${untouched.join(', ')}`)
  const beside = [`pg1-socket-path=${socketFolder}`, `pg1-user=${clusterUser}`]
  const secrets = ['[global]', `repo1-cipher-pass=${drillPassPhrase}`]
  const others = ['log-path', 'lock-path'].map((name) => `${name}=${makeServersFolder(join(folder, name))}`)
  return [...local, ...beside, '', ...secrets, ...others, ''].join('\n')
}

/** deploy/pgbackrest/postgresql.conf, with the archive_command told where this configuration lies. */
function shippedSettings(configuration: string): Record<string, string> {
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

/** pgBackRest with a repository of its own below this folder. */
export function preparePgBackRest(program: string, place: Place): PgBackRest {
  const configuration = join(place.folder, 'pgbackrest.conf')
  writeFileSync(configuration, localConfiguration(place))
  chmodSync(configuration, 0o644)
  return {
    serverSettings: shippedSettings(configuration),
    run: (command, ...options) =>
      runAsServer(program, [`--config=${configuration}`, stanza, ...options, command]),
  }
}
