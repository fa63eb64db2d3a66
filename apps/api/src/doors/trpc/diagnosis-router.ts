import {
  DiagnosisDesk,
  DiagnosisDraftContent,
  DiagnosisDraftReference,
  DiagnosisDraftSave,
  DiagnosisVersionReference,
} from '@meridian/contracts'
import { discardDraft, publishDraft, saveDraft, startDraft } from '../../diagnosis/edit-draft.ts'
import { getPublished, showDesk } from '../../diagnosis/show-desk.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

const editing = permittedProcedure('diagnosis.edit').use(({ ctx, next }) =>
  next({ ctx: { ...ctx, editor: { operatorId: ctx.session.operator.id, from: ctx.from } } }),
)

export const diagnosisRouter = router({
  desk: operatorProcedure.output(DiagnosisDesk).query(({ ctx }) => showDesk(ctx.services.database.pool)),

  published: operatorProcedure
    .input(DiagnosisVersionReference)
    .output(DiagnosisDraftContent)
    .query(({ ctx, input }) => getPublished(ctx.services.database.pool, input.version)),

  startDraft: editing
    .input(DiagnosisVersionReference)
    .output(DiagnosisDesk)
    .mutation(async ({ ctx, input }) => {
      await startDraft(ctx.services.database.prisma, input.version, ctx.editor)
      return showDesk(ctx.services.database.pool)
    }),

  saveDraft: editing
    .input(DiagnosisDraftSave)
    .output(DiagnosisDesk)
    .mutation(async ({ ctx, input }) => {
      await saveDraft(ctx.services.database.prisma, input, ctx.editor)
      return showDesk(ctx.services.database.pool)
    }),

  discardDraft: editing
    .input(DiagnosisDraftReference)
    .output(DiagnosisDesk)
    .mutation(async ({ ctx, input }) => {
      await discardDraft(ctx.services.database.prisma, input, ctx.editor)
      return showDesk(ctx.services.database.pool)
    }),

  publish: editing
    .input(DiagnosisDraftReference)
    .output(DiagnosisDesk)
    .mutation(async ({ ctx, input }) => {
      await publishDraft(ctx.services.database.prisma, input, ctx.editor)
      return showDesk(ctx.services.database.pool)
    }),
})
