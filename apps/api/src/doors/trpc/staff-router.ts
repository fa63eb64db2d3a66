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
import { z } from 'zod'
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
import { listSignInFailures } from '../../operators/trace-sign-in.ts'
import { confirmSecondFactor } from '../../operators/trust-factor.ts'
import { permittedProcedure, readingProcedure, router } from './procedures.ts'

const readProcedure = readingProcedure('operator.manage')
const actProcedure = permittedProcedure('operator.manage')

export const staffRouter = router({
  list: readProcedure
    .input(StaffListQuery)
    .output(twoWayPageOf(StaffMember))
    .query(({ ctx, input }) => listStaff(ctx.services.database.pool, input)),

  detail: readProcedure
    .input(StaffReference)
    .output(StaffDetail)
    .query(({ ctx, input }) => showStaff(ctx.services.database, input.operatorId, ctx.session)),

  signInFailures: readProcedure
    .output(z.array(SignInFailure))
    .query(({ ctx }) => listSignInFailures(ctx.services.database.pool)),

  invite: actProcedure
    .input(StaffInvitation)
    .output(OneTimePassword)
    .mutation(({ ctx, input }) => inviteStaff(ctx.services.database.prisma, input, ctx.actor)),

  changeRole: actProcedure
    .input(RoleChange)
    .mutation(({ ctx, input }) => changeRole(ctx.services.database.prisma, input, ctx.actor)),

  disable: actProcedure
    .input(StaffReference)
    .mutation(({ ctx, input }) => disableStaff(ctx.services.database.prisma, input.operatorId, ctx.actor)),

  enable: actProcedure
    .input(StaffReference)
    .mutation(({ ctx, input }) => enableStaff(ctx.services.database.prisma, input.operatorId, ctx.actor)),

  resetPassword: actProcedure
    .input(StaffReference)
    .output(OneTimePassword)
    .mutation(({ ctx, input }) => resetPassword(ctx.services.database.prisma, input.operatorId, ctx.actor)),

  resetSecondFactor: actProcedure
    .input(StaffReference)
    .mutation(({ ctx, input }) =>
      resetSecondFactor(ctx.services.database.prisma, input.operatorId, ctx.actor),
    ),

  confirmSecondFactor: actProcedure
    .input(StaffReference)
    .mutation(({ ctx, input }) =>
      confirmSecondFactor(ctx.services.database.prisma, input.operatorId, ctx.actor),
    ),

  revokeSession: actProcedure
    .input(SessionReference)
    .mutation(({ ctx, input }) => revokeSession(ctx.services.database.prisma, input, ctx.actor)),
})
