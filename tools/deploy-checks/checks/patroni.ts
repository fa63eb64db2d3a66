import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { claimPort } from '@meridian/process'
import type { DeployCheck } from '../deploy-check.ts'
import { patroniFolder, renderMachine } from '../render-machine.ts'
import { askProgram, runToEnd } from '../run-program.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'

const checkRendering = () =>
  inTemporaryFolder(async (folder) => {
    const made = await Promise.all(
      ['1', 'balancer'].map(async (machine) =>
        readdir(await renderMachine(machine, { folder: join(folder, machine) })),
      ),
    )
    const templates = await readdir(join(patroniFolder, 'templates'))
    const missing = templates.filter((template) => !made.flat().includes(template))
    if (missing.length > 0) throw new Error(`render.sh leaves out ${missing.join(', ')}`)
  })

/** What Patroni says of a machine that is not this one: that nobody answers there, and a folder that is not needed here. */
const elsewhere = [/is not reachable/, /^bootstrap\.pg_hba\s+is not defined/]

/** This machine as the first of the three: Patroni looks whether it could listen, and where PostgreSQL is. */
async function placeHere(folder: string) {
  const [patroni, postgres] = await Promise.all([claimPort(), claimPort()])
  const [version] = (await readdir('/usr/lib/postgresql').catch(() => [])).sort().reverse()
  const settings = {
    // It refuses 127.0.0.1, where no other machine reaches it.
    NODE_1_ADDRESS: '127.0.0.2',
    PATRONI_PORT: `${patroni.port}`,
    POSTGRES_PORT: `${postgres.port}`,
    POSTGRES_DATA: join(folder, 'data'),
    ...(version !== undefined && { POSTGRES_BIN: `/usr/lib/postgresql/${version}/bin` }),
  }
  const release = () => {
    patroni.release()
    postgres.release()
  }
  return { settings, release }
}

const checkPatroni = () =>
  inTemporaryFolder(async (folder) => {
    const { settings, release } = await placeHere(folder)
    const rendered = await renderMachine('1', { folder, settings }).finally(release)
    const { stdout, stderr } = await runToEnd(['patroni', '--validate-config', join(rendered, 'patroni.yml')])
    const faults = `${stdout}${stderr}`
      .split('\n')
      .filter((line) => line.trim() !== '' && !elsewhere.some((known) => known.test(line)))
    if (faults.length > 0) throw new Error(faults.join('\n'))
  })

const checkHaproxy = () =>
  inTemporaryFolder(async (folder) => {
    const rendered = await renderMachine('balancer', { folder })
    await askProgram(['haproxy', '-c', '-f', join(rendered, 'haproxy.cfg')])
  })

/** It ends by a signal either way (2.2); what it says is what counts. */
const checkKeepalived = () =>
  inTemporaryFolder(async (folder) => {
    const rendered = await renderMachine('balancer', { folder })
    const said = join(folder, 'said')
    await writeFile(said, '')
    const file = join(rendered, 'keepalived.conf')
    await runToEnd(['keepalived', `--config-test=${said}`, '--use-file', file])
    const faults = (await readFile(said, 'utf8')).trim()
    if (faults !== '') throw new Error(faults)
  })

/** deploy/patroni, rendered, by the programs that read it. */
export const patroniChecks: readonly DeployCheck[] = [
  { name: 'every template of deploy/patroni is rendered', programs: ['envsubst'], run: checkRendering },
  { name: 'Patroni takes its configuration', programs: ['patroni'], run: checkPatroni },
  { name: "HAProxy takes the balancer's configuration", programs: ['haproxy'], run: checkHaproxy },
  { name: 'keepalived takes its configuration', programs: ['keepalived'], run: checkKeepalived },
]
