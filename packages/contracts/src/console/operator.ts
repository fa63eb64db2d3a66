import { z } from 'zod'
import { SecondFactorCode, SecondFactorState } from './second-factor.ts'

export const OperatorRole = z.enum(['viewer', 'operator', 'finance', 'owner'])
export type OperatorRole = z.infer<typeof OperatorRole>

/** Whether operators of this role work with a second factor only. */
export const needsSecondFactor = (role: OperatorRole): boolean => role !== 'viewer'

/**
 * Who may do what in the console: the API enforces this table, the console greys out buttons with it.
 * Every role may read lists and details.
 */
export const permissions = {
  'order.sync': ['operator', 'finance', 'owner'],
  'order.close': ['operator', 'finance', 'owner'],
  'order.decide': ['operator', 'finance', 'owner'],
  'order.decide_late': ['finance', 'owner'],
  'refund.request': ['finance', 'owner'],
  'refund.approve': ['finance', 'owner'],
  'refund.retry': ['finance', 'owner'],
  'subscription.grant': ['operator', 'owner'],
  'grant.approve': ['operator', 'owner'],
  'user.disable': ['operator', 'owner'],
  'user.sessions': ['operator', 'owner'],
  'device.import': ['operator', 'owner'],
  'device.disable': ['operator', 'owner'],
  'device.unbind': ['operator', 'owner'],
  'report.read': ['operator', 'owner'],
  'diagnosis.edit': ['operator', 'owner'],
  'diagnosis.publish': ['operator', 'owner'],
  'identifier.reveal': ['operator', 'owner'],
  'notification.payload': ['operator', 'owner'],
  'notification.replay': ['operator', 'owner'],
  'alert.resolve': ['operator', 'finance', 'owner'],
  'alert.channels': ['operator', 'owner'],
  'reconciliation.resolve': ['finance', 'owner'],
  'reconciliation.close_day': ['finance', 'owner'],
  'shipping.retry': ['finance', 'owner'],
  'plan.edit': ['finance', 'owner'],
  'view.share': ['operator', 'finance', 'owner'],
  'view.remove_any': ['owner'],
  'setting.edit': ['owner'],
  'key.read': ['owner'],
  'job.manage': ['owner'],
  'operator.manage': ['owner'],
  'audit.everybody': ['owner'],
  'export.orders': ['finance', 'owner'],
  'export.lists': ['finance', 'owner'],
} as const satisfies Record<string, readonly OperatorRole[]>
export type Permission = keyof typeof permissions

/** What touches money, settings, keys or a person's identity: needs a second factor not older than ten minutes. */
export const guardedPermissions: readonly Permission[] = [
  'order.decide_late',
  'refund.request',
  'refund.approve',
  'refund.retry',
  'grant.approve',
  'diagnosis.publish',
  'setting.edit',
  'plan.edit',
  'identifier.reveal',
  'notification.payload',
  'key.read',
  'alert.channels',
  'operator.manage',
]

/** Whether an operator of this role may use this permission. */
export const mayOperator = (role: OperatorRole, permission: Permission): boolean =>
  permissions[permission].some((allowed) => allowed === role)

/** A new password: long enough to resist guessing, short enough to hash. */
export const NewPassword = z.string().min(12).max(128)

export const SignInRequest = z.object({
  email: z.email().max(254),
  password: z.string().min(1).max(128),
  /** The second step, for those who have one. */
  code: SecondFactorCode.optional(),
})
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
  /** How far the clock of the business is ahead of the machine's, in milliseconds: 0 but at a sandbox. */
  clockAheadMs: z.int(),
  secondFactor: SecondFactorState,
  /** What has to be done before anything else. */
  next: z.enum(['change_password', 'enrol']).nullable(),
})
export type ConsoleContext = z.infer<typeof ConsoleContext>
