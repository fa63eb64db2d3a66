import { z } from 'zod'

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
