import {
  ApprovalVerdict,
  DiagnosisDesk,
  DiagnosisDraftContent,
  DiagnosisDraftReference,
  DiagnosisDraftSave,
  DiagnosisVersionReference,
} from '@meridian/contracts'
import { discardDraft, saveDraft, startDraft } from '../../diagnosis/edit-draft.ts'
import { askPublication, decidePublication, withdrawPublished } from '../../diagnosis/publish-draft.ts'
import { getPublished, showDesk } from '../../diagnosis/show-desk.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

const editing = permittedProcedure('diagnosis.edit')

const publishing = permittedProcedure('diagnosis.publish')

export const diagnosisRouter = router({
  desk: operatorProcedure
    .output(DiagnosisDesk)
    .query(({ ctx }) => showDesk(ctx.services.database.pool, ctx.session.operator.id)),

  published: operatorProcedure
    .input(DiagnosisVersionReference)
    .output(DiagnosisDraftContent)
    .query(({ ctx, input }) => getPublished(ctx.services.database.pool, input.version)),

  startDraft: editing
    .input(DiagnosisVersionReference)
    .output(DiagnosisDesk)
    .mutation(async ({ ctx, input }) => {
      await startDraft(ctx.services.database.prisma, input.version, ctx.actor)
      return showDesk(ctx.services.database.pool, ctx.session.operator.id)
    }),

  saveDraft: editing
    .input(DiagnosisDraftSave)
    .output(DiagnosisDesk)
    .mutation(async ({ ctx, input }) => {
      await saveDraft(ctx.services.database.prisma, input, ctx.actor)
      return showDesk(ctx.services.database.pool, ctx.session.operator.id)
    }),

  discardDraft: editing
    .input(DiagnosisDraftReference)
    .output(DiagnosisDesk)
    .mutation(async ({ ctx, input }) => {
      await discardDraft(ctx.services.database.prisma, input, ctx.actor)
      return showDesk(ctx.services.database.pool, ctx.session.operator.id)
    }),

  publish: publishing
    .input(DiagnosisDraftReference)
    .output(DiagnosisDesk)
    .mutation(async ({ ctx, input }) => {
      await askPublication(ctx.services.database.prisma, input, ctx.actor)
      return showDesk(ctx.services.database.pool, ctx.session.operator.id)
    }),

  decide: publishing
    .input(ApprovalVerdict)
    .output(DiagnosisDesk)
    .mutation(async ({ ctx, input }) => {
      await decidePublication(ctx.services.database.prisma, input, ctx.actor)
      return showDesk(ctx.services.database.pool, ctx.session.operator.id)
    }),

  withdraw: publishing
    .input(DiagnosisVersionReference)
    .output(DiagnosisDesk)
    .mutation(async ({ ctx, input }) => {
      await withdrawPublished(ctx.services.database.prisma, input.version, ctx.actor)
      return showDesk(ctx.services.database.pool, ctx.session.operator.id)
    }),
})
