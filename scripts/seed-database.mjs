import { buildPrograms } from './build-programs.mjs'
import { demo, readSize } from './demo.mjs'
import { keepSecrets } from './keep-secrets.mjs'
import { withLocalDatabase } from './local-database.mjs'
import { planStart } from './plan-start.mjs'
import { builtFiles } from './program-files.mjs'
import { refuseLostSecrets } from './refuse-lost-secrets.mjs'
import { startEverything } from './start.mjs'

/** Enough that every list of the console has something to show, in a few minutes. */
const usual = ['--users', '12', '--days', '8']

/**
 * `npm run db:seed`: fills the embedded database by playing `npm run demo`, beside the sandbox that runs or with one that
 * is started for it.
 * @param {string[]} args those of the demo
 */
export async function seedDatabase(args) {
  const size = [...usual, ...args]
  readSize(size)
  await withLocalDatabase('npm run db:seed', async () => undefined)
  const play = () => demo(size)
  const manner = { files: builtFiles, environment: /** @type {const} */ ('production') }
  await refuseLostSecrets()
  const { sandbox } = planStart(keepSecrets(), { ...manner, prepare: buildPrograms })
  if (sandbox !== null && (await answers(sandbox.url))) return play()
  return startEverything({ ...manner, prepare: buildPrograms, work: play })
}

/** @param {string} url */
const answers = (url) =>
  fetch(`${url}/phone/clock`).then(
    ({ ok }) => ok,
    () => false,
  )
