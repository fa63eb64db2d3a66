import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deployFolder } from './config.ts'
import { askProgram } from './run-program.ts'

export const patroniFolder = join(deployFolder, 'patroni')

/** Renders the files of one machine for this one: what a check needs beside the example's values. */
export async function renderMachine(
  machine: string,
  place: { folder: string; settings?: Record<string, string> },
) {
  const { folder, settings = {} } = place
  const secrets = join(folder, 'secrets')
  await askProgram(['sh', join(deployFolder, 'make-secrets.sh'), secrets])
  const own = { SECRETS_FOLDER: secrets, CONFIG_FOLDER: folder, ...settings }
  const file = join(folder, 'settings.env')
  await writeFile(
    file,
    Object.entries(own)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(''),
  )
  const rendered = join(folder, machine)
  await askProgram(['sh', join(patroniFolder, 'render.sh'), file, machine, rendered])
  return rendered
}
