import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { deployFolder } from '../config.ts'
import type { DeployCheck } from '../deploy-check.ts'
import { askProgram } from '../run-program.ts'
import { inTemporaryFolder } from '../temporary-folder.ts'

async function checkScripts(): Promise<void> {
  const files = await readdir(deployFolder, { recursive: true })
  const scripts = files.filter((file) => file.endsWith('.sh')).sort()
  if (scripts.length === 0) throw new Error('there are no scripts')
  await askProgram(['shellcheck', '--shell=sh', '--severity=style', ...scripts], { cwd: deployFolder })
}

const makeSecrets = (folder: string) => askProgram(['sh', join(deployFolder, 'make-secrets.sh'), folder])

/** Long enough, alone readable, and the second run changes nothing. */
const checkSecrets = () =>
  inTemporaryFolder(async (folder) => {
    await makeSecrets(folder)
    const names = await readdir(folder)
    const read = () => Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    const made = await read()
    if ((await readFile(join(folder, 'data-key'), 'utf8')).trim().length < 32)
      throw new Error('data-key is shorter than 32 bytes')
    if (((await stat(folder)).mode & 0o007) !== 0) throw new Error('everybody may enter the folder')
    await makeSecrets(folder)
    if (JSON.stringify(await read()) !== JSON.stringify(made)) throw new Error('a second run changed secrets')
  })

/** The scripts of deploy/. */
export const scriptChecks: readonly DeployCheck[] = [
  { name: 'shellcheck finds nothing in the scripts', programs: ['shellcheck'], run: checkScripts },
  { name: 'make-secrets.sh makes each secret once', programs: ['openssl'], run: checkSecrets },
]
