import { z } from 'zod'

export const OperatorRole = z.enum(['viewer', 'operator', 'finance', 'owner'])
export type OperatorRole = z.infer<typeof OperatorRole>

/**
 * Who may do what in the console: the API enforces this table, the console greys out buttons with it.
 * Every role may read lists and details.
 */
export const permissions = {
  'order.sync': ['operator', 'finance', 'owner'],
  'order.close': ['operator', 'finance', 'owner'],
  'identifier.reveal': ['operator', 'owner'],
  'export.orders': ['finance', 'owner'],
} as const satisfies Record<string, readonly OperatorRole[]>
export type Permission = keyof typeof permissions

/** Whether an operator of this role may use this permission. */
export const mayOperator = (role: OperatorRole, permission: Permission): boolean =>
  permissions[permission].some((allowed) => allowed === role)

/** A new password: long enough to resist guessing, short enough to hash. */
export const NewPassword = z.string().min(12).max(128)

export const SignInRequest = z.object({ email: z.email().max(254), password: z.string().min(1).max(128) })
export type SignInRequest = z.infer<typeof SignInRequest>

export const Operator = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  role: OperatorRole,
  mustChangePassword: z.boolean(),
})
export type Operator = z.infer<typeof Operator>

export const OperatorSession = z.object({ token: z.string(), expiresAt: z.date(), operator: Operator })
export type OperatorSession = z.infer<typeof OperatorSession>

export const PasswordChange = z.object({
  currentPassword: z.string().min(1).max(128),
  newPassword: NewPassword,
})
export type PasswordChange = z.infer<typeof PasswordChange>

/** What the shell of the console needs on every page. */
export const ConsoleContext = z.object({
  operator: Operator,
  platform: z.enum(['official', 'sandbox', 'off']),
})
export type ConsoleContext = z.infer<typeof ConsoleContext>
