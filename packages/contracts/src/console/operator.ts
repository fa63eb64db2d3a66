import { z } from 'zod'
import { operatorRoles } from '../choices.ts'
import { SecondFactorCode, SecondFactorState } from './second-factor.ts'

export const OperatorRole = z.enum(operatorRoles)
export type OperatorRole = z.infer<typeof OperatorRole>

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
