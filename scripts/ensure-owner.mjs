import { keepSecrets } from './keep-secrets.mjs'
import { Refusal } from './refusal.mjs'
import { runCommand } from './run-command.mjs'

const email = 'owner@meridian.local'

/** @typedef {{ email: string, password: string | null }} Owner the password is null once its owner has changed it */

/**
 * @param {import('./plan-start.mjs').StartPlan} plan
 * @returns {Promise<Owner>}
 */
export async function ensureOwner({ files, settings, sandbox }) {
  const password = keepSecrets().OWNER_FIRST_PASSWORD ?? ''
  const args = [
    '--email',
    email,
    '--role',
    'owner',
    '--name',
    'Owner',
    '--if-missing',
    '--password-stdin',
    '--json',
    // Where no real money moves, the first password may stay.
    ...(sandbox === null ? [] : ['--trial']),
  ]
  const command = files.apiCommand('create-operator', args)
  const { code, output } = await runCommand([process.execPath, ...command], {
    env: settings,
    input: password,
  })
  const answer = code === 0 ? readAnswer(output) : null
  if (answer === null) throw new Refusal(`The owner of the console could not be created.\n${output.trim()}`)
  return { email, password: answer.must_change_password ? password : null }
}

/** @param {string} output @returns {{ must_change_password: boolean } | null} */
function readAnswer(output) {
  const line = output.split('\n').find((text) => text.startsWith('{') && text.includes('"email"'))
  return line === undefined ? null : JSON.parse(line)
}
