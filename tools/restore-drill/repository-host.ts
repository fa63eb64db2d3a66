import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scheduler } from 'node:timers/promises'
import { findAccount } from '@meridian/embedded-postgres/testing'
import { claimPort } from '@meridian/process'
import {
  changeShipped,
  keepApart,
  type PgBackRest,
  type Place,
  passPhrase,
  reachServer,
  shippedSettings,
  stanza,
  writeConfiguration,
} from './pgbackrest.ts'
import { makeServersFolder, runAsServer } from './run-as-server.ts'

const sides = ['database', 'repository'] as const
type Side = (typeof sides)[number]

/** An authority of a day, and a certificate of it for each side, whose name is the side's. */
function issueCertificates(folder: string): void {
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  const newKey = (name: string) => [
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    `${name}.key`,
  ]
  openssl('req', '-x509', '-days', '1', ...newKey('ca'), '-out', 'ca.crt')
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost')
  for (const side of sides) {
    openssl('req', ...newKey(side), '-out', `${side}.csr`)
    const authority = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names']
    openssl('x509', '-req', '-days', '1', '-in', `${side}.csr`, ...authority, '-out', `${side}.crt`)
  }
  const account = findAccount()
  for (const name of readdirSync(folder)) if (account) chownSync(join(folder, name), account.uid, account.gid)
}

const certificatesOf = (prefix: string, { tls, side }: { tls: string; side: Side }) => ({
  [`${prefix}-ca-file`]: join(tls, 'ca.crt'),
  [`${prefix}-cert-file`]: join(tls, `${side}.crt`),
  [`${prefix}-key-file`]: join(tls, `${side}.key`),
})

const other = { database: 'repository', repository: 'database' } as const

type Sides = Place & { tls: string; ports: Record<Side, number>; files: Record<Side, string> }

/** What both sides need to take each other's calls here: `localhost`, and a port of its own for each. */
const listening = ({ tls, ports }: Sides, side: Side) => ({
  places: {
    ...certificatesOf('tls-server', { tls, side }),
    'tls-server-address': '127.0.0.1',
    'tls-server-auth': `${other[side]}=meridian`,
  },
  beside: [`tls-server-port=${ports[side]}`],
})

function databaseSide(all: Sides): string {
  const { places, beside } = listening(all, 'database')
  const here = { 'repo1-host': 'localhost', 'pg1-path': all.dataFolder, 'pg1-port': String(all.port) }
  const spool = { 'spool-path': makeServersFolder(join(all.folder, 'spool')) }
  return changeShipped({
    shippedFile: 'repository-host/database.conf',
    places: { ...places, ...certificatesOf('repo1-host', { ...all, side: 'database' }), ...here, ...spool },
    beside: [
      ...reachServer(all),
      ...keepApart(makeServersFolder(join(all.folder, 'database'))),
      ...[...beside, `repo1-host-port=${all.ports.repository}`, `repo1-host-config=${all.files.repository}`],
    ],
  })
}

function repositorySide(all: Sides): string {
  const { places, beside } = listening(all, 'repository')
  const own = makeServersFolder(join(all.folder, 'repository-host'))
  const here = {
    'pg1-host': 'localhost',
    'pg1-path': all.dataFolder,
    'repo1-path': makeServersFolder(join(own, 'kept')),
  }
  return changeShipped({
    shippedFile: 'repository-host/repository.conf',
    places: { ...places, ...certificatesOf('pg1-host', { ...all, side: 'repository' }), ...here },
    without: /^(pg[23]-|tls-server-auth=db[23])/,
    beside: [
      ...[`pg1-port=${all.port}`, ...reachServer(all).slice(1)],
      ...[`pg1-host-port=${all.ports.database}`, `pg1-host-config=${all.files.database}`],
      ...[...keepApart(own), passPhrase, ...beside],
    ],
  })
}

/** `pgbackrest server` of one side, until it is stopped or this process is gone: the shell ends with our end of its pipe. */
async function serve(
  program: string,
  { file, port }: { file: string; port: number },
): Promise<() => Promise<void>> {
  const script = '"$0" --config="$1" server & cat > /dev/null; kill $!; wait'
  const child = spawn('/bin/sh', ['-c', script, program, file], {
    ...findAccount(),
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const gone = once(child, 'exit')
  const ping = () =>
    runAsServer(program, [
      `--config=${file}`,
      `--tls-server-port=${port}`,
      '--io-timeout=2',
      'server-ping',
      'localhost',
    ])
  for (const patienceEnds = Date.now() + 30_000; ; await scheduler.wait(100)) {
    const error = await ping().then(
      () => null,
      (failure: unknown) => failure,
    )
    if (error === null) break
    if (Date.now() > patienceEnds) throw error
  }
  return async () => {
    child.stdin.end()
    await gone
  }
}

/** The two sides of deploy/pgbackrest/repository-host on this machine, each with its own server, by TLS. */
export async function prepareRepositoryHost(program: string, place: Place): Promise<PgBackRest> {
  const tls = makeServersFolder(join(place.folder, 'tls'))
  issueCertificates(tls)
  const claims = { database: await claimPort(), repository: await claimPort() }
  const files = {
    database: join(place.folder, 'database.conf'),
    repository: join(place.folder, 'repository.conf'),
  }
  const ports = { database: claims.database.port, repository: claims.repository.port }
  const all = { ...place, tls, files, ports }
  writeConfiguration(files.database, databaseSide(all))
  writeConfiguration(files.repository, repositorySide(all))
  const stops: (() => Promise<void>)[] = []
  for (const side of sides) {
    claims[side].release()
    stops.push(await serve(program, { file: files[side], port: ports[side] }))
  }
  const sideOf = (command: string): Side =>
    ['restore', 'check'].includes(command) ? 'database' : 'repository'
  return {
    serverSettings: shippedSettings(files.database),
    run: (command, ...options) =>
      runAsServer(program, [`--config=${files[sideOf(command)]}`, stanza, ...options, command]),
    stop: async () => {
      for (const stop of stops) await stop()
    },
  }
}
