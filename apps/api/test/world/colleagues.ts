import { hashPassword } from '../../src/operators/passwords.ts'
import { type Console, type ConsoleWorld, enrol, passwordOf, signInAnew } from './console.ts'

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
  return (await signInAnew(world, email)).console
}
