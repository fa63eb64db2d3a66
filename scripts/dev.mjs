import { runTurbo } from './build-programs.mjs'
import { watchedFiles } from './program-files.mjs'
import { Refusal } from './refusal.mjs'
import { step } from './show-progress.mjs'
import { startEverything } from './start.mjs'

/** `npm run dev`: as `npm start`, from the sources, each program started again when its files change. */
export function dev() {
  return startEverything({ files: watchedFiles, environment: 'development', prepare })
}

function prepare() {
  return step('Generating the database client, bundling the sandbox', async () => {
    const { code, output } = await runTurbo([
      'run',
      'generate',
      '@meridian/sandbox#build',
      '--output-logs=errors-only',
    ])
    if (code !== 0) throw new Refusal(`The preparation has failed.\n${output.trim()}`)
  })
}
