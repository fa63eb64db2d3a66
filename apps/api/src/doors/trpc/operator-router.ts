import {
  ConsoleContext,
  Enrolment,
  EnrolmentConfirmation,
  IdentityAuthority,
  IdentityCode,
  IdentitySignIn,
  IdentityTicket,
  NamesReveal,
  needsSecondFactor,
  Operator,
  OperatorSession,
  OwnAccount,
  PasswordChange,
  PasswordProof,
  Proof,
  RecoveryCodes,
  SessionReference,
  SignInOptions,
  SignInRequest,
} from '@meridian/contracts'
import { z } from 'zod'
import { changePassword } from '../../operators/change-password.ts'
import {
  confirmEnrolment,
  giveUpSecondFactor,
  renewRecoveryCodes,
  startEnrolment,
} from '../../operators/enrol-second-factor.ts'
import { showOwnAccount } from '../../operators/list-staff.ts'
import { hasFactor, proveIdentity, provePassword } from '../../operators/prove-identity.ts'
import { hideNames, namesFor, revealNames } from '../../operators/reveal-names.ts'
import { revokeSession } from '../../operators/sessions.ts'
import { type SignedInOperator, signIn, signOut } from '../../operators/sign-in.ts'
import { finishSignIn, signInByIdentity } from '../../operators/sign-in-by-identity.ts'
import { showAuthority, showCompany, showSignInOptions } from '../../operators/sign-in-options.ts'
import {
  accountProcedure,
  consoleProcedure,
  operatorProcedure,
  permittedProcedure,
  provenProcedure,
  router,
  sessionProcedure,
} from './procedures.ts'

/** What stands between the operator and their work. */
function nextStep(session: SignedInOperator): ConsoleContext['next'] {
  if (session.operator.mustChangePassword) return 'change_password'
  return needsSecondFactor(session.operator.role) && !hasFactor(session) ? 'enrol' : null
}

const NamesShown = ConsoleContext.pick({ namesRevealed: true })

export const operatorRouter = router({
  signIn: consoleProcedure
    .input(SignInRequest)
    .output(OperatorSession)
    .mutation(async ({ ctx, input }) =>
      signIn(ctx.services, input, { from: ctx.from, before: await ctx.findSession() }),
    ),

  signInOptions: consoleProcedure.output(SignInOptions).query(({ ctx }) => showSignInOptions(ctx.services)),

  identityAuthority: consoleProcedure
    .output(IdentityAuthority)
    .query(({ ctx }) => showAuthority(ctx.services)),

  signInByIdentity: consoleProcedure
    .input(IdentityCode)
    .output(IdentitySignIn)
    .mutation(async ({ ctx, input }) =>
      signInByIdentity(ctx.services, input, { from: ctx.from, before: await ctx.findSession() }),
    ),

  finishSignIn: consoleProcedure
    .input(IdentityTicket)
    .output(OperatorSession)
    .mutation(async ({ ctx, input }) =>
      finishSignIn(ctx.services, input, { from: ctx.from, before: await ctx.findSession() }),
    ),

  signOut: sessionProcedure.output(z.object({ signedOut: z.literal(true) })).mutation(async ({ ctx }) => {
    await signOut(ctx.services.database.prisma, ctx.session, ctx.from)
    return { signedOut: true as const }
  }),

  changePassword: sessionProcedure
    .input(PasswordChange)
    .output(Operator)
    .mutation(({ ctx, input }) =>
      changePassword(ctx.services, ctx.session, { change: input, from: ctx.from }),
    ),

  context: sessionProcedure.output(ConsoleContext).query(({ ctx: { session, services } }) => ({
    operator: session.operator,
    platform: services.config.platform,
    clockAheadMs: services.clock.aheadMs(),
    secondFactor: { enrolled: session.enrolled, required: needsSecondFactor(session.operator.role) },
    company: showCompany(services, session),
    namesRevealed: namesFor(session) === 'whole',
    next: nextStep(session),
  })),

  startEnrolment: accountProcedure
    .output(Enrolment)
    .mutation(({ ctx }) => startEnrolment(ctx.services, ctx.session)),

  confirmEnrolment: accountProcedure
    .input(EnrolmentConfirmation)
    .output(RecoveryCodes)
    .mutation(({ ctx, input }) => confirmEnrolment(ctx.services, ctx.session, { ...input, from: ctx.from })),

  account: accountProcedure
    .output(OwnAccount)
    .query(({ ctx }) => showOwnAccount(ctx.services.database, ctx.session)),

  revokeSession: accountProcedure.input(SessionReference).mutation(({ ctx, input }) => {
    const operatorId = ctx.session.operator.id
    return revokeSession(ctx.services.database.prisma, { ...input, operatorId }, ctx.actor)
  }),

  prove: accountProcedure
    .input(Proof)
    .output(z.object({ provenUntil: z.date() }))
    .mutation(({ ctx, input }) => proveIdentity(ctx.services, ctx.session, { ...input, from: ctx.from })),

  provePassword: accountProcedure
    .input(PasswordProof)
    .output(z.object({ proven: z.literal(true) }))
    .mutation(async ({ ctx, input }) => {
      await provePassword(ctx.services, ctx.session, { ...input, from: ctx.from })
      return { proven: true as const }
    }),

  revealNames: permittedProcedure('identifier.reveal')
    .input(NamesReveal)
    .output(NamesShown)
    .mutation(async ({ ctx, input }) => {
      await revealNames(ctx.services.database.prisma, input, ctx)
      return { namesRevealed: true }
    }),

  hideNames: operatorProcedure.output(NamesShown).mutation(async ({ ctx }) => {
    await hideNames(ctx.services.database.prisma, ctx)
    return { namesRevealed: false }
  }),

  renewRecoveryCodes: provenProcedure
    .output(RecoveryCodes)
    .mutation(({ ctx }) => renewRecoveryCodes(ctx.services, ctx.session, ctx.from)),

  giveUpSecondFactor: provenProcedure
    .output(z.object({ given: z.literal(true) }))
    .mutation(async ({ ctx }) => {
      await giveUpSecondFactor(ctx.services, ctx.session, ctx.from)
      return { given: true as const }
    }),
})
