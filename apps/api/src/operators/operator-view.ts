import type { Operator } from '@meridian/contracts'
import type { Prisma } from '@meridian/db'

/** The columns of an operator that leave the API. */
export const operatorView = {
  id: true,
  email: true,
  name: true,
  role: true,
  mustChangePassword: true,
} satisfies Prisma.OperatorSelect & Record<keyof Operator, true>
