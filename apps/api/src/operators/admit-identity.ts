import {
  factorTrustHours,
  type OperatorRole,
  type SignInFailureReason,
  StaffInvitation,
} from '@meridian/contracts'
import type { Db } from '@meridian/db'
import { type RequestMeta, writeAudit } from '../audit/write-audit.ts'
import { decideRole } from '../identity/decide-role.ts'
import type { IdentitySettings } from '../identity/identity-settings.ts'
import type { VerifiedIdentity } from '../identity/redeem-code.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { newId } from '../platform/ids/new-id.ts'
import { transactionTime } from '../platform/time/business-time.ts'
import { applyRole } from './manage-staff.ts'
import { recordChange } from './record-change.ts'
import { operatorView } from './sessions.ts'
import { raiseFactorChanged } from './trust-factor.ts'

const accountView = {
  ...operatorView,
  disabledAt: true,
  totpConfirmedAt: true,
  firstSignedInAt: true,
  identityIssuer: true,
  identitySubject: true,
} as const

const readBySubject = (db: Db, { issuer, subject }: VerifiedIdentity) =>
  db.operator.findUnique({
    where: { identityIssuer_identitySubject: { identityIssuer: issuer, identitySubject: subject } },
    select: accountView,
  })

const readByEmail = (db: Db, email: string) =>
  db.operator.findUnique({ where: { email }, select: accountView })

type Account = NonNullable<Awaited<ReturnType<typeof readBySubject>>>

/** Whose account an identity opens: one bound to it, one it is bound to now, or a new one. */
export type Admission = {
  account: Account | null
  identity: VerifiedIdentity
  role: OperatorRole | 'kept'
}

/** `gone`: the account of a subject that is bound, whose groups give no role any more. */
type Refused = { refusal: SignInFailureReason; email: string | null; gone?: string }
type Found = { admission: Admission } | Refused

/**
 * Whom an identity may sign in as. A subject that is bound counts alone, whatever its e-mail says now. One that is not
 * is bound to the account of its e-mail, which the provider has to have verified, and only where that account is bound to
 * nobody. The account that keeps a password for bad days is the provider's never, nor is one made with its e-mail.
 */
export async function findAdmission(
  db: Db,
  settings: IdentitySettings,
  identity: VerifiedIdentity,
): Promise<Found> {
  const bound = await readBySubject(db, identity)
  const verified = identity.emailVerified ? identity.email : null
  const account = bound ?? (verified ? await readByEmail(db, verified) : null)
  const email = account?.email ?? identity.email
  const role = decideRole(settings, identity.groups)
  const isOthers = account !== null && !bound && account.identitySubject !== null
  const mayBeMade = settings.provision && verified !== null && role !== 'kept'
  if ((account?.email ?? verified) === settings.breakGlass) return { refusal: 'identity_not_admitted', email }
  if (role === null && bound) return { refusal: 'identity_not_admitted', email, gone: bound.id }
  if (role === null || isOthers || (!account && !mayBeMade))
    return { refusal: 'identity_not_admitted', email }
  if (account?.disabledAt) return { refusal: 'account_disabled', email }
  return { admission: { account, identity, role } }
}

/** Two browsers sign somebody in for the first time at once: one does, the other is asked to try again. */
const lost = () => new DomainError('changed_meanwhile')

/** As long as a name may be; an e-mail that stands in for one may be longer. */
const longestName = StaffInvitation.shape.name.maxLength ?? 0

type Writing = { from: RequestMeta; unusableHash: string }

async function provision(db: Db, { identity, role }: Admission, { from, unusableHash }: Writing) {
  const { email, issuer, subject } = identity
  if (!email || role === 'kept') throw lost()
  const now = await transactionTime(db)
  const row = {
    id: newId(),
    email,
    name: identity.name ?? email.slice(0, longestName),
    role,
    passwordHash: unusableHash,
    identityIssuer: issuer,
    identitySubject: subject,
    identityTrustedFrom: now,
  }
  const { count } = await db.operator.createMany({ data: [row], skipDuplicates: true })
  if (count === 0) throw lost()
  const actor = { operatorId: row.id, from }
  await recordChange(db, { operatorId: row.id, kind: 'made' }, actor)
  const entry = { action: 'staff.provision', subject: { type: 'operator', id: row.id } }
  await writeAudit(db, { operatorId: row.id, ...entry, after: { email, role, by: 'identity' } }, from)
  return row.id
}

/**
 * Binds an account to the identity. On an account in use the provider's second factor counts after a day, and owners are
 * told: it is another way in.
 */
async function bind(db: Db, account: Account, { identity, from }: { identity: VerifiedIdentity } & Writing) {
  const now = await transactionTime(db)
  const isNew = account.firstSignedInAt === null || account.mustChangePassword
  const { count } = await db.operator.updateMany({
    where: { id: account.id, identitySubject: null, disabledAt: null },
    data: {
      identityIssuer: identity.issuer,
      identitySubject: identity.subject,
      identityTrustedFrom: isNew ? now : new Date(now.getTime() + factorTrustHours * 3_600_000),
    },
  })
  if (count === 0) throw lost()
  if (!isNew) await raiseFactorChanged(db, account.id, 'identity_bound')
  const subject = { type: 'operator', id: account.id }
  await writeAudit(db, { operatorId: account.id, action: 'operator.bind_identity', subject }, from)
}

/** The role that the provider's groups give. The last owner stays one: somebody has to be able to hand the shop on. */
async function settleRole(db: Db, operatorId: string, { role, from }: Pick<Admission, 'role'> & Writing) {
  if (role === 'kept') return
  try {
    await applyRole(db, { operatorId, role, by: 'identity' }, { operatorId, from })
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'last_owner') throw error
  }
}

/**
 * Makes the account what the identity says: made, bound, given its role. A one-time password that waits to be changed is
 * worth nothing any more once its owner has come another way.
 * @throws DomainError changed_meanwhile
 */
export async function admitIdentity(db: Db, admission: Admission, writing: Writing) {
  const { account, identity, role } = admission
  if (account && account.identitySubject === null) await bind(db, account, { identity, ...writing })
  const id = account ? account.id : await provision(db, admission, writing)
  await settleRole(db, id, { role, ...writing })
  if (account?.mustChangePassword)
    await db.operator.update({
      where: { id },
      data: { passwordHash: writing.unusableHash, mustChangePassword: false, passwordExpiresAt: null },
    })
  const operator = await db.operator.findUniqueOrThrow({ where: { id }, select: operatorView })
  const isFirst = !account || account.firstSignedInAt === null
  return { operator, isFirst, trustsNewFactor: isFirst || account?.mustChangePassword === true }
}
