import { cp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deployFolder } from '../config.ts'
import type { DeployCheck } from '../deploy-check.ts'
import { askProgram } from '../run-program.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'
import { searchPathOf, verifyUnits } from '../verify-units.ts'

const folder = join(deployFolder, 'systemd')

const unitsOf = async (...endings: readonly string[]) =>
  (await readdir(folder)).filter((file) => endings.some((ending) => file.endsWith(ending)))

async function verifyOwnUnits(): Promise<void> {
  const units = await unitsOf('.service', '.socket', '.timer')
  await verifyUnits(
    units.map((unit) => join(folder, unit)),
    [folder],
  )
}

/** pgbouncer.service.d beside a unit as Debian's is: nothing of it that systemd ignores. */
const verifyPgbouncerRestart = () =>
  inTemporaryFolder(async (units) => {
    const unit = join(units, 'pgbouncer.service')
    await writeFile(unit, '[Service]\nType=notify\nExecStart=/usr/bin/env pgbouncer\n')
    await cp(join(folder, 'pgbouncer.service.d'), `${unit}.d`, { recursive: true })
    await verifyUnits([unit], [units])
  })

/** Exposure as systemd-analyze counts it, from 0 to 10; what it calls OK begins at 4. */
const mostExposure = 2

async function judgeExposure(): Promise<void> {
  const allowed = ['--offline=true', `--threshold=${mostExposure * 10}`, '--no-pager']
  const env = { SYSTEMD_UNIT_PATH: searchPathOf([folder]) }
  for (const unit of await unitsOf('.service'))
    await askProgram(['systemd-analyze', 'security', ...allowed, unit], { env })
}

/** deploy/systemd as systemd reads it. */
export const systemdChecks: readonly DeployCheck[] = [
  { name: 'systemd takes its units', programs: ['systemd-analyze'], run: verifyOwnUnits },
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
