import type { OneTimePassword, RoleChange, StaffInvitation } from '@meridian/contracts'
import type { Database, Db } from '@meridian/db'
import { z } from 'zod'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { newId } from '../platform/ids/new-id.ts'
import { transactionTime } from '../platform/time/business-time.ts'
import { firstPassword } from './create-operator.ts'
import { newPassword } from './passwords.ts'
import { recordChange } from './record-change.ts'
import { removeSecondFactor } from './second-factor.ts'
import { revokeAllSessions } from './sessions.ts'
import { raiseFactorChanged } from './trust-factor.ts'

type Act = {
  action: string
  operatorId: string
  before?: Record<string, string>
  after?: Record<string, string>
}

const audit = (db: Db, { operatorId, ...act }: Act, actor: Actor) =>
  writeAudit(
    db,
    { operatorId: actor.operatorId, subject: { type: 'operator', id: operatorId }, ...act },
    actor.from,
  )

const Locked = z.array(z.object({ id: z.uuid() }))

/** Takes the owners one after the other, so that two of them cannot remove each other at the same time. */
async function requireOwnerBeside(db: Db, operatorId: string): Promise<void> {
  const owners = Locked.parse(
    await db.$queryRaw`SELECT id FROM operators WHERE role = 'owner' AND disabled_at IS NULL ORDER BY id FOR UPDATE`,
  )
  if (owners.every(({ id }) => id === operatorId)) throw new DomainError('last_owner')
}

async function getStaff(db: Db, operatorId: string) {
  const found = await db.operator.findUnique({
    where: { id: operatorId },
    select: { email: true, role: true, disabledAt: true, totpConfirmedAt: true },
  })
  if (!found) throw new DomainError('not_found')
  return found
}

/** Makes an account with a one-time password, told once to who asked for it. @throws DomainError email_taken */
export async function inviteStaff(
  database: Database,
  invitation: StaffInvitation,
  actor: Actor,
): Promise<OneTimePassword> {
  const operatorId = newId()
  const password = newPassword()
  const first = await firstPassword(database, { password, mustChangePassword: true })
  const { name, role } = invitation
  const email = invitation.email.toLowerCase()
  return database.$transaction(async (db) => {
    const row = { id: operatorId, email, name, role, ...first.columns }
    const { count } = await db.operator.createMany({ data: [row], skipDuplicates: true })
    if (count === 0) throw new DomainError('email_taken')
    await recordChange(db, { operatorId, kind: 'made' }, actor)
    await audit(db, { action: 'staff.invite', operatorId, after: { email, name, role } }, actor)
    return { operatorId, password, expiresAt: first.expiresAt }
  })
}

/**
 * Gives somebody another role, in the transaction of whoever decides it: an owner, or the groups that the identity
 * provider says at a sign-in.
 * @throws DomainError last_owner, not_found; nothing is written then
 */
export async function applyRole(
  db: Db,
  { operatorId, role, by }: RoleChange & { by?: 'identity' },
  actor: Actor,
): Promise<void> {
  const found = await getStaff(db, operatorId)
  if (found.role === role) return
  if (found.role === 'owner') await requireOwnerBeside(db, operatorId)
  await db.operator.update({ where: { id: operatorId }, data: { role } })
  await recordChange(db, { operatorId, kind: 'role' }, actor)
  const change = { before: { role: found.role }, after: { role, ...(by && { by }) } }
  await audit(db, { action: 'staff.change_role', operatorId, ...change }, actor)
}

/** Gives somebody another role. @throws DomainError last_owner, not_found */
export const changeRole = (database: Database, change: RoleChange, actor: Actor): Promise<void> =>
  database.$transaction((db) => applyRole(db, change, actor))

/** Closes an account, with every session of it. @throws DomainError last_owner, not_found */
export async function disableStaff(database: Database, operatorId: string, actor: Actor): Promise<void> {
  await database.$transaction(async (db) => {
    const found = await getStaff(db, operatorId)
    if (found.disabledAt) return
    if (found.role === 'owner') await requireOwnerBeside(db, operatorId)
    await db.operator.update({ where: { id: operatorId }, data: { disabledAt: await transactionTime(db) } })
    await revokeAllSessions(db, operatorId)
    await audit(db, { action: 'staff.disable', operatorId }, actor)
  })
}

/** Opens a closed account again. @throws DomainError not_found */
export async function enableStaff(database: Database, operatorId: string, actor: Actor): Promise<void> {
  await database.$transaction(async (db) => {
    const found = await getStaff(db, operatorId)
    if (!found.disabledAt) return
    await db.operator.update({ where: { id: operatorId }, data: { disabledAt: null } })
    await audit(db, { action: 'staff.enable', operatorId }, actor)
  })
}

/** Gives somebody a new one-time password in place of theirs; their sessions end. @throws DomainError not_found */
export async function resetPassword(
  database: Database,
  operatorId: string,
  actor: Actor,
): Promise<OneTimePassword> {
  const password = newPassword()
  const first = await firstPassword(database, { password, mustChangePassword: true })
  return database.$transaction(async (db) => {
    await getStaff(db, operatorId)
    await db.operator.update({ where: { id: operatorId }, data: first.columns })
    await revokeAllSessions(db, operatorId)
    await recordChange(db, { operatorId, kind: 'password_reset' }, actor)
    await audit(db, { action: 'staff.reset_password', operatorId }, actor)
    return { operatorId, password, expiresAt: first.expiresAt }
  })
}

/** Takes a lost authenticator off an account: it sets up another at its next sign-in. @throws DomainError not_found */
export async function resetSecondFactor(database: Database, operatorId: string, actor: Actor): Promise<void> {
  await database.$transaction(async (db) => {
    const found = await getStaff(db, operatorId)
    if (!found.totpConfirmedAt) return
    await removeSecondFactor(db, operatorId)
    await raiseFactorChanged(db, operatorId, 'reset')
    await revokeAllSessions(db, operatorId)
    await recordChange(db, { operatorId, kind: 'factor_reset' }, actor)
    await audit(db, { action: 'staff.reset_second_factor', operatorId }, actor)
  })
}
