import { hashPassword } from '../../src/operators/passwords.ts'
import { type Console, type ConsoleWorld, enrol, openConsole, passwordOf, signInAs } from './console.ts'

/** The id of an operator by their address. */
export async function idOf(world: Pick<ConsoleWorld, 'query'>, email: string): Promise<string> {
  const [found] = await world.query<{ id: string }>('SELECT id FROM operators WHERE email = $1', [email])
  if (!found) throw new Error(`there is no operator ${email}`)
  return found.id
}

/**
 * Whoever holds the one-time password of an account makes it theirs: another password, an authenticator just set up,
 * signed in.
 */
export async function takeOver(world: ConsoleWorld, email: string): Promise<Console> {
  const hash = await hashPassword(passwordOf(email))
  await world.query(
    `UPDATE operators SET password_hash = $2, must_change_password = false, password_expires_at = NULL WHERE email = $1`,
    [email, hash],
  )
  await enrol(world, email, 0)
  const { token } = await signInAs(world, email)
  return openConsole(world, { session: token })
}

/** As if all that waits and all that was done to accounts lay so many hours further back; who is signed in stays so. */
export async function letHoursPass(world: Pick<ConsoleWorld, 'query'>, hours: number): Promise<void> {
  const shifted = (table: string, columns: readonly string[], where = 'true') =>
    world.query(
      `UPDATE ${table} SET ${columns.map((column) => `${column} = ${column} - $1 * interval '1 hour'`).join(', ')} WHERE ${where}`,
      [hours],
    )
  await shifted('operator_changes', ['changed_at', 'counts_at'])
  await shifted('operators', ['totp_confirmed_at'])
  await shifted('approval_requests', ['requested_at', 'due_at'], `state = 'requested'`)
  await shifted('refunds', ['created_at'], `status = 'requested'`)
  await shifted('grant_requests', ['created_at'], `state = 'requested'`)
  await shifted('plan_price_changes', ['changed_at'])
  await world.query('UPDATE operator_sessions SET proven_at = now()')
}
