import {
  OneTimePassword,
  RoleChange,
  SessionReference,
  SignInFailure,
  StaffDetail,
  StaffInvitation,
  StaffListQuery,
  StaffMember,
  StaffReference,
  twoWayPageOf,
} from '@meridian/contracts'
import type { OpenDatabase } from '@meridian/db'
import { z } from 'zod'
import type { Actor } from '../../audit/write-audit.ts'
import { listStaff, showStaff } from '../../operators/list-staff.ts'
import {
  changeRole,
  disableStaff,
  enableStaff,
  inviteStaff,
  resetPassword,
  resetSecondFactor,
} from '../../operators/manage-staff.ts'
import { revokeSession } from '../../operators/sessions.ts'
import { listSignInFailures } from '../../operators/sign-in-attempts.ts'
import { confirmSecondFactor } from '../../operators/trust-factor.ts'
import { unbindIdentity } from '../../operators/unbind-identity.ts'
import { onPool, onPrisma } from './console-call.ts'
import { permittedProcedure, readingProcedure, router } from './procedures.ts'

const readProcedure = readingProcedure('operator.manage')
const actProcedure = permittedProcedure('operator.manage')

type OnOperator<Answer> = (
  prisma: OpenDatabase['prisma'],
  operatorId: string,
  actor: Actor,
) => Promise<Answer>
const onOperator = <Answer>(story: OnOperator<Answer>) =>
  onPrisma((prisma, { operatorId }: { operatorId: string }, actor) => story(prisma, operatorId, actor))

export const staffRouter = router({
  list: readProcedure.input(StaffListQuery).output(twoWayPageOf(StaffMember)).query(onPool(listStaff)),

  detail: readProcedure
    .input(StaffReference)
    .output(StaffDetail)
    .query(({ ctx, input }) => showStaff(ctx.services.database, input.operatorId, ctx.session)),

  signInFailures: readProcedure.output(z.array(SignInFailure)).query(onPool(listSignInFailures)),

  invite: actProcedure.input(StaffInvitation).output(OneTimePassword).mutation(onPrisma(inviteStaff)),

  changeRole: actProcedure.input(RoleChange).mutation(onPrisma(changeRole)),

  disable: actProcedure.input(StaffReference).mutation(onOperator(disableStaff)),

  enable: actProcedure.input(StaffReference).mutation(onOperator(enableStaff)),

  resetPassword: actProcedure
    .input(StaffReference)
    .output(OneTimePassword)
    .mutation(onOperator(resetPassword)),

  resetSecondFactor: actProcedure.input(StaffReference).mutation(onOperator(resetSecondFactor)),

  confirmSecondFactor: actProcedure.input(StaffReference).mutation(onOperator(confirmSecondFactor)),

  unbindIdentity: actProcedure.input(StaffReference).mutation(onOperator(unbindIdentity)),

  revokeSession: actProcedure.input(SessionReference).mutation(onPrisma(revokeSession)),
})
