import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canConnect } from '@meridian/embedded-postgres/testing'
import { config } from '../../restore-drill/config.ts'
import { findPrograms } from '../../restore-drill/find-programs.ts'
import { openServer } from '../../restore-drill/open-server.ts'
import type { Prepare } from '../../restore-drill/pgbackrest.ts'
import { prepareRepositoryHost } from '../../restore-drill/repository-host.ts'
import { deployFolder } from '../config.ts'
import type { DeployCheck } from '../deploy-check.ts'
import { runToEnd } from '../run-program.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'
import { verifyUnits } from '../verify-units.ts'

const folder = join(deployFolder, 'pgbackrest')

/** The codes by which pgBackRest says that it does not understand an option or lacks one; others come from what it then meets. */
const misunderstood = new Set([27, 29, 30, 31, 32, 33, 34, 35, 36, 37])

type Configuration = { file: string; commands: readonly string[]; options?: readonly string[] }

/** A repository on this machine alone, where nobody listens: reading the configuration comes before that matters. */
const nowhere = ['--repo1-storage-host=127.0.0.1', '--repo1-storage-port=1', '--io-timeout=1']

const configurations: readonly Configuration[] = [
  { file: 'object-storage/pgbackrest.conf', commands: ['info', 'backup', 'restore'], options: nowhere },
  { file: 'repository-host/database.conf', commands: ['info', 'restore', 'server'] },
  { file: 'repository-host/repository.conf', commands: ['info', 'backup', 'server'] },
]

async function refuseMisunderstood({ file, commands, options = [] }: Configuration, place: string) {
  const secrets = readFileSync(join(folder, 'secrets.conf.example'), 'utf8').replaceAll(/=$/gm, '=secret')
  const needed =
    file === 'object-storage/pgbackrest.conf' ? secrets : secrets.replaceAll(/^repo1-s3-.*$/gm, '')
  const hasRepository = file !== 'repository-host/database.conf'
  writeFileSync(join(place, 'secrets.conf'), hasRepository ? needed : '')
  for (const command of commands) {
    const { code, stdout, stderr } = await runToEnd([
      'pgbackrest',
      `--config=${join(folder, file)}`,
      `--config-include-path=${place}`,
      ...['--log-level-console=warn', '--log-level-file=off', `--log-path=${place}`],
      // Without its certificate no server listens, but it has read everything.
      ...(command === 'server'
        ? [`--tls-server-cert-file=${place}/none`]
        : ['--stanza=meridian', ...options]),
      ...(command === 'restore' ? [`--pg1-path=${place}`] : []),
      command,
    ])
    const said = `${stdout}${stderr}`
    if (code === null || misunderstood.has(code) || /WARN: (configuration|option)/.test(said))
      throw new Error(`${file}, pgbackrest ${command} (exit ${code}): ${said}`)
  }
}

/** A server with the shipped settings and a repository with the shipped options do what a backup needs, and a restore. */
async function archiveAndBackUp(prepare?: Prepare): Promise<void> {
  const programs = findPrograms(config)
  if (Array.isArray(programs)) throw new Error(`Missing: ${programs.join(', ')}`)
  await inTemporaryFolder(async (place) => {
    const { backups, databaseUrl, destroy, start, stop } = await openServer(place, programs, prepare)
    try {
      for (const command of ['stanza-create', 'check', 'backup', 'verify']) await backups.run(command)
      const info = await backups.run('info')
      if (!/status: ok\n\s+cipher: aes-256-cbc/.test(info)) throw new Error(`pgbackrest info: ${info}`)
      await destroy()
      await backups.run('restore')
      await start()
      if (!(await canConnect(databaseUrl))) throw new Error('The restored server does not answer')
    } finally {
      await stop()
    }
  })
}

/** A cluster under Patroni archives with the very command of a single server. */
async function compareArchiving(): Promise<void> {
  const [, single] =
    /^archive_command = '(.+)'$/m.exec(readFileSync(join(folder, 'postgresql.conf'), 'utf8')) ?? []
  const [, cluster] =
    /^\s+archive_command: (.+)$/m.exec(readFileSync(join(folder, 'patroni.yaml'), 'utf8')) ?? []
  if (single === undefined || single !== cluster)
    throw new Error(`postgresql.conf archives by ${single}, patroni.yaml by ${cluster}`)
}

async function verifyOwnUnits(): Promise<void> {
  const units = join(folder, 'systemd')
  await verifyUnits(
    readdirSync(units).map((unit) => join(units, unit)),
    [units],
  )
}

export const pgbackrestChecks: readonly DeployCheck[] = [
  ...configurations.map((configuration) => ({
    name: `pgBackRest understands deploy/pgbackrest/${configuration.file}`,
    programs: ['pgbackrest'],
    run: () => inTemporaryFolder((place) => refuseMisunderstood(configuration, place)),
  })),
  {
    name: 'PostgreSQL archives, is backed up and restored by deploy/pgbackrest',
    programs: [`${config.postgres}/bin/postgres`, 'pgbackrest'],
    run: () => archiveAndBackUp(),
  },
  {
    name: 'PostgreSQL is backed up and restored over TLS by deploy/pgbackrest/repository-host',
    programs: [`${config.postgres}/bin/postgres`, 'pgbackrest'],
    run: () => archiveAndBackUp(prepareRepositoryHost),
  },
  {
    name: 'deploy/pgbackrest archives alike with and without Patroni',
    programs: ['pgbackrest'],
    run: compareArchiving,
  },
  {
    name: 'units of deploy/pgbackrest/systemd',
    // They start pgbackrest, and systemd looks whether it is there.
    programs: ['systemd-analyze', 'pgbackrest'],
    run: verifyOwnUnits,
  },
]
