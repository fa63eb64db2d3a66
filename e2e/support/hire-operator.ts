import { randomBytes } from 'node:crypto'
import type { OperatorRole } from '@meridian/contracts'
import { runToEnd } from './start-process.ts'

type NewOperator = { email: string; role: OperatorRole; databaseUrl: string }

/** An operator whose first password need not be changed: that is a journey of its own. */
export async function hireOperator({ email, role, databaseUrl }: NewOperator) {
  const password = randomBytes(36).toString('base64url')
  const wanted = ['--email', email, '--role', role, '--name', role]
  await runToEnd('apps/api/dist/commands/create-operator.js', {
    args: [...wanted, '--password-stdin', '--trial', '--json'],
    env: { DATABASE_URL: databaseUrl },
    input: password,
  })
  return { email, password }
}
