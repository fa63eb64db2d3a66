import { z } from 'zod'
import { operatorRoles } from '../choices.ts'

/** For how long showing the second factor opens what is guarded. */
export const proofMinutes = 10

/** For how long a factor that was added to an account that had worked without one is no step-up. */
export const factorTrustHours = 24

/** How many recovery codes an operator holds after enrolling. */
export const recoveryCodeCount = 10

/** Six digits of the authenticator, or a recovery code of 26 characters; case, spaces and dashes are as one likes them. */
export const SecondFactorCode = z.string().trim().min(6).max(64)

export const Proof = z.object({ code: SecondFactorCode })
export type Proof = z.infer<typeof Proof>

export const PasswordProof = z.object({ password: z.string().min(1).max(128) })
export type PasswordProof = z.infer<typeof PasswordProof>

/** What an authenticator needs, and the ticket that confirms with a first code that it has it. */
export const Enrolment = z.object({ secret: z.string(), uri: z.string(), ticket: z.string() })
export type Enrolment = z.infer<typeof Enrolment>

export const EnrolmentConfirmation = z.object({ ticket: z.string().max(1024), code: SecondFactorCode })
export type EnrolmentConfirmation = z.infer<typeof EnrolmentConfirmation>

/** Shown once: only their hashes are kept. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

/** What the operator in question has to show for themselves beside a password. */
export const SecondFactorState = z.object({ enrolled: z.boolean(), required: z.boolean() })

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

/** How somebody may sign in, as the page that asks needs it. */
export const SignInOptions = z.object({
  /** The company's own identity, and what it is called; null where there is none. */
  identity: z.object({ name: z.string().nullable() }).nullable(),
  /** Whether everybody may use a password, or one owner alone for the day the identity provider is away. */
  passwords: z.enum(['on', 'break_glass']),
})
export type SignInOptions = z.infer<typeof SignInOptions>

/** Where the console sends a browser to sign in at the company; the secret of the client stays with the API. */
export const IdentityAuthority = z.object({
  issuer: z.string(),
  authorizationEndpoint: z.string(),
  clientId: z.string(),
  scopes: z.string(),
  /** Which strengths the provider is asked for, the dearest first (OpenID Connect Core §3.1.2.1); null for whichever it likes. */
  acrValues: z.string().nullable(),
})
export type IdentityAuthority = z.infer<typeof IdentityAuthority>

/** What the browser brought back from there, and what the console had kept for it (RFC 7636, OpenID Connect §3.1). */
export const IdentityCode = z.object({
  code: z.string().min(1).max(4096),
  codeVerifier: z.string().min(43).max(128),
  nonce: z.string().min(16).max(255),
})
export type IdentityCode = z.infer<typeof IdentityCode>

/** A session, or what a code of the second factor makes one of within five minutes. */
export const IdentitySignIn = z.discriminatedUnion('next', [
  z.object({ next: z.null(), session: OperatorSession }),
  z.object({ next: z.literal('code'), ticket: z.string() }),
])
export type IdentitySignIn = z.infer<typeof IdentitySignIn>

export const IdentityTicket = z.object({ ticket: z.string().min(1).max(16_384), code: SecondFactorCode })
export type IdentityTicket = z.infer<typeof IdentityTicket>

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
  /**
   * How they show anew at the company who they are; null where they are not bound to its identity. `passwords`: whether
   * their password opens anything besides.
   */
  company: z.object({ name: z.string().nullable(), passwords: z.boolean() }).nullable(),
  /** Whether this session shows the names of users. */
  namesRevealed: z.boolean(),
  /** What has to be done before anything else. */
  next: z.enum(['change_password', 'enrol']).nullable(),
})
export type ConsoleContext = z.infer<typeof ConsoleContext>
