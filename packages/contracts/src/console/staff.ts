import { z } from 'zod'
import { pageFields } from '../paging.ts'
import { Operator, OperatorRole } from './operator.ts'

/** An open session of an operator: where it is, and whether it is the one that asks. */
export const SessionView = z.object({
  id: z.uuid(),
  address: z.string(),
  userAgent: z.string(),
  createdAt: z.date(),
  lastSeenAt: z.date(),
  expiresAt: z.date(),
  isCurrent: z.boolean(),
})
export type SessionView = z.infer<typeof SessionView>

export const SessionReference = z.object({ sessionId: z.uuid() })

/** Somebody who works with the console, as an owner sees them. */
export const StaffMember = Operator.extend({
  createdAt: z.date(),
  disabledAt: z.date().nullable(),
  /** Until when the one-time password opens the console; null when they have chosen their own. */
  passwordExpiresAt: z.date().nullable(),
  enrolled: z.boolean(),
  /** From when their second factor counts as step-up; null without one. */
  factorTrustedFrom: z.date().nullable(),
  /** Whether they sign in with the company's account. */
  bound: z.boolean(),
  /** When a session of theirs was last used. */
  lastSeenAt: z.date().nullable(),
  openSessions: z.int(),
})
export type StaffMember = z.infer<typeof StaffMember>

export const StaffListQuery = z.object({
  role: OperatorRole.optional(),
  state: z.enum(['enabled', 'disabled']).optional(),
  ...pageFields,
  limit: pageFields.limit.default(50),
})
export type StaffListQuery = z.infer<typeof StaffListQuery>

export const StaffReference = z.object({ operatorId: z.uuid() })

export const StaffDetail = StaffMember.extend({
  unusedRecoveryCodes: z.int(),
  sessions: z.array(SessionView),
})
export type StaffDetail = z.infer<typeof StaffDetail>

/** Why a sign-in, or the change of a password, was refused; the caller is told less. */
export const SignInFailureReason = z.enum([
  'unknown_account',
  'wrong_password',
  'account_disabled',
  'password_expired',
  'wrong_code',
  'rate_limited',
  'busy',
  'wrong_current_password',
  'passwords_off',
  'identity_refused',
  'identity_not_admitted',
])
export type SignInFailureReason = z.infer<typeof SignInFailureReason>

/** A sign-in that failed; `who` shows the first letter of the e-mail, and of a known account where it is from. */
export const SignInFailure = z.object({
  id: z.string(),
  at: z.date(),
  operatorId: z.uuid().nullable(),
  who: z.string(),
  address: z.string(),
  reason: SignInFailureReason,
})
export type SignInFailure = z.infer<typeof SignInFailure>

export const StaffInvitation = z.object({
  email: z.email().max(254),
  name: z.string().trim().min(1).max(64),
  role: OperatorRole,
})
export type StaffInvitation = z.infer<typeof StaffInvitation>

/** Shown once; has to be changed at the first sign-in, before it expires. */
export const OneTimePassword = z.object({ operatorId: z.uuid(), password: z.string(), expiresAt: z.date() })
export type OneTimePassword = z.infer<typeof OneTimePassword>

export const RoleChange = StaffReference.extend({ role: OperatorRole })
export type RoleChange = z.infer<typeof RoleChange>

/** What the operator sees of their own account. */
export const OwnAccount = z.object({
  operator: Operator,
  enrolled: z.boolean(),
  required: z.boolean(),
  /** From when the second factor counts as step-up; null without one. */
  factorTrustedFrom: z.date().nullable(),
  /** The names of the owners who may confirm it before; nobody where it counts already. */
  confirmers: z.array(z.string()),
  unusedRecoveryCodes: z.int(),
  sessions: z.array(SessionView),
})
export type OwnAccount = z.infer<typeof OwnAccount>
