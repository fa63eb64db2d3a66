import {
  ApprovalVerdict,
  DiagnosisDesk,
  DiagnosisDraftContent,
  DiagnosisDraftReference,
  DiagnosisDraftSave,
  DiagnosisVersionReference,
} from '@meridian/contracts'
import type { Pool } from '@meridian/db'
import { discardDraft, saveDraft, startDraft } from '../../diagnosis/edit-draft.ts'
import { askPublication, decidePublication, withdrawPublished } from '../../diagnosis/publish-draft.ts'
import { getPublished, showDesk } from '../../diagnosis/show-desk.ts'
import { onPool, onPrisma, showingAfter } from './console-call.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

const editing = permittedProcedure('diagnosis.edit')

const publishing = permittedProcedure('diagnosis.publish')

const show = onPool((pool: Pool, _: unknown, { operatorId }) => showDesk(pool, operatorId))
const thenShow = showingAfter(show)

export const diagnosisRouter = router({
  desk: operatorProcedure.output(DiagnosisDesk).query(show),

  published: operatorProcedure
    .input(DiagnosisVersionReference)
    .output(DiagnosisDraftContent)
    .query(onPool((pool, { version }) => getPublished(pool, version))),

  startDraft: editing
    .input(DiagnosisVersionReference)
    .output(DiagnosisDesk)
    .mutation(thenShow(onPrisma((prisma, { version }, actor) => startDraft(prisma, version, actor)))),

  saveDraft: editing
    .input(DiagnosisDraftSave)
    .output(DiagnosisDesk)
    .mutation(thenShow(onPrisma(saveDraft))),

  discardDraft: editing
    .input(DiagnosisDraftReference)
    .output(DiagnosisDesk)
    .mutation(thenShow(onPrisma(discardDraft))),

  publish: publishing
    .input(DiagnosisDraftReference)
    .output(DiagnosisDesk)
    .mutation(thenShow(onPrisma(askPublication))),

  decide: publishing
    .input(ApprovalVerdict)
    .output(DiagnosisDesk)
    .mutation(thenShow(onPrisma(decidePublication))),

  withdraw: publishing
    .input(DiagnosisVersionReference)
    .output(DiagnosisDesk)
    .mutation(thenShow(onPrisma((prisma, { version }, actor) => withdrawPublished(prisma, version, actor)))),
})
