import { buildPrograms } from './build-programs.mjs'
import { checkout, inCheckout, nodeModule } from './checkout.mjs'
import { runCommand } from './run-command.mjs'

/** `npm run screenshots`: draws docs/images/ anew from the production builds and realistic data. */
export async function screenshots() {
  await buildPrograms()
  const { code } = await runCommand(
    [process.execPath, nodeModule('tsx/dist/cli.mjs'), inCheckout('e2e/screenshots/take-screenshots.ts')],
    {
      cwd: checkout,
      output: 'show',
    },
  )
  return code
}
