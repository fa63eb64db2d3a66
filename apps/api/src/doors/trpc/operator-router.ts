import { ConsoleContext, Operator, OperatorSession, PasswordChange, SignInRequest } from '@meridian/contracts'
import { z } from 'zod'
import { changePassword } from '../../operators/change-password.ts'
import { signIn, signOut } from '../../operators/sign-in.ts'
import { countSignIn } from './limit-console.ts'
import { consoleProcedure, router, sessionProcedure } from './procedures.ts'

export const operatorRouter = router({
  signIn: consoleProcedure
    .input(SignInRequest)
    .output(OperatorSession)
    .mutation(async ({ ctx, input }) => {
      await countSignIn(input.email, ctx.from.address)
      return signIn(ctx.services.database.prisma, input, ctx.from)
    }),

  signOut: sessionProcedure.output(z.object({ signedOut: z.literal(true) })).mutation(async ({ ctx }) => {
    await signOut(ctx.services.database.prisma, ctx.session, ctx.from)
    return { signedOut: true as const }
  }),

  changePassword: sessionProcedure
    .input(PasswordChange)
    .output(Operator)
    .mutation(({ ctx, input }) =>
      changePassword(ctx.services.database.prisma, ctx.session, { change: input, from: ctx.from }),
    ),

  context: sessionProcedure
    .output(ConsoleContext)
    .query(({ ctx }) => ({ operator: ctx.session.operator, platform: ctx.services.config.platform })),
})
