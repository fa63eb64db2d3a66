import { cp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deployFolder } from '../config.ts'
import type { DeployCheck } from '../deploy-check.ts'
import { askProgram, runToEnd } from '../run-program.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'

const folder = join(deployFolder, 'systemd')
/** The folder's units first, then those of this machine. */
const env = { SYSTEMD_UNIT_PATH: `${folder}:` }

const unitsOf = async (...endings: readonly string[]) =>
  (await readdir(folder)).filter((file) => endings.some((ending) => file.endsWith(ending)))

/** A line that systemd would ignore ends with code 0: whatever it says is a fault. */
async function verify(files: readonly string[], unitPath: Readonly<Record<string, string>>): Promise<void> {
  const { code, stdout, stderr } = await runToEnd(
    ['systemd-analyze', 'verify', '--man=no', '--recursive-errors=no', ...files],
    { env: unitPath },
  )
  const said = `${stdout}${stderr}`.trim()
  if (code !== 0 || said !== '') throw new Error(said || `systemd-analyze ended with ${code}`)
}

async function verifyUnits(): Promise<void> {
  const units = await unitsOf('.service', '.socket', '.timer')
  await verify(
    units.map((unit) => join(folder, unit)),
    env,
  )
}

/** pgbouncer.service.d beside a unit as Debian's is: nothing of it that systemd ignores. */
const verifyPgbouncerRestart = () =>
  inTemporaryFolder(async (units) => {
    const unit = join(units, 'pgbouncer.service')
    await writeFile(unit, '[Service]\nType=notify\nExecStart=/usr/bin/env pgbouncer\n')
    await cp(join(folder, 'pgbouncer.service.d'), `${unit}.d`, { recursive: true })
    await verify([unit], { SYSTEMD_UNIT_PATH: `${units}:` })
  })

/** Exposure as systemd-analyze counts it, from 0 to 10; what it calls OK begins at 4. */
const mostExposure = 2

async function judgeExposure(): Promise<void> {
  const allowed = ['--offline=true', `--threshold=${mostExposure * 10}`, '--no-pager']
  for (const unit of await unitsOf('.service'))
    await askProgram(['systemd-analyze', 'security', ...allowed, unit], { env })
}

/** deploy/systemd as systemd reads it. */
export const systemdChecks: readonly DeployCheck[] = [
  { name: 'systemd takes its units', programs: ['systemd-analyze'], run: verifyUnits },
  {
    name: 'systemd takes what starts PgBouncer again',
    programs: ['systemd-analyze'],
    run: verifyPgbouncerRestart,
  },
  {
    name: `systemd finds no unit exposed beyond ${mostExposure} of 10`,
    programs: ['systemd-analyze'],
    run: judgeExposure,
  },
]
