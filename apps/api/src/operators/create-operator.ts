import type { OperatorRole } from '@meridian/contracts'
import type { Database, Db } from '@meridian/db'
import { newId } from '../platform/ids/new-id.ts'
import { transactionTime } from '../platform/time/business-time.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { recordFirst } from './record-change.ts'

export const firstPasswordHours = 24

export type NewOperator = {
  email: string
  name: string
  role: OperatorRole
  password: string
  mustChangePassword: boolean
}

/** The columns of a password that was given, not chosen; one that has to be changed opens the console for a day. */
export async function firstPassword(
  db: Db,
  { password, mustChangePassword }: Pick<NewOperator, 'password' | 'mustChangePassword'>,
) {
  const passwordHash = await hashPassword(password)
  const expiresAt = new Date((await transactionTime(db)).getTime() + firstPasswordHours * 3_600_000)
  const passwordExpiresAt = mustChangePassword ? expiresAt : null
  return { expiresAt, columns: { passwordHash, mustChangePassword, passwordExpiresAt } }
}

/** Makes an operator with a first password. Answers null when the e-mail is taken. */
export async function createOperator(
  database: Database,
  operator: NewOperator,
): Promise<{ id: string } | null> {
  const { email, name, role } = operator
  const row = {
    id: newId(),
    email: email.toLowerCase(),
    name,
    role,
    ...(await firstPassword(database, operator)).columns,
  }
  return database.$transaction(async (db) => {
    const { count } = await db.operator.createMany({ data: [row], skipDuplicates: true })
    if (count === 0) return null
    await recordFirst(db, row.id)
    return { id: row.id }
  })
}

/**
 * Whether the operator still has this first password; one that had to be changed within a day gets another day.
 */
export async function keepsFirstPassword(database: Database, operator: NewOperator): Promise<boolean> {
  const email = operator.email.toLowerCase()
  const found = await database.operator.findUnique({
    where: { email },
    select: { passwordHash: true, mustChangePassword: true },
  })
  if (!found || !(await isPassword(found.passwordHash, operator.password))) return false
  if (found.mustChangePassword)
    await database.operator.update({
      where: { email },
      data: (await firstPassword(database, operator)).columns,
    })
  return true
}
