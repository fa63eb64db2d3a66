import {
  ApprovalVerdict,
  AuditEntry,
  AuditFilter,
  AuditListQuery,
  AuditReference,
  AuditRow,
  JobOverview,
  JobReference,
  KeyCockpit,
  MerchantCertificateDate,
  mayOperator,
  RowCount,
  SettingChangeRow,
  SettingEdit,
  SettingReference,
  SettingRow,
  twoWayPageOf,
  WaitingApproval,
} from '@meridian/contracts'
import { z } from 'zod'
import { listWaiting } from '../../approvals/list-waiting.ts'
import { type AuditScope, countAudit, listActions, listAudit, showAudit } from '../../audit/list-audit.ts'
import { handleJob, showJobs } from '../../jobs/manage-jobs.ts'
import { enterCertificateEnd, showKeys } from '../../keys/key-cockpit.ts'
import type { SignedInOperator } from '../../operators/sign-in.ts'
import { changeSetting } from '../../settings/change-setting.ts'
import { decideSetting } from '../../settings/decide-setting.ts'
import { listSettingChanges, listSettings } from '../../settings/read-settings.ts'
import { PUSH_PATH } from '../notifications/answer.ts'
import { onPool, onPrisma, showingAfter } from './console-call.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

const Settings = z.object({ items: z.array(SettingRow), waiting: z.array(WaitingApproval) })

/** Every setting, and the changes of them that wait for a second owner. */
const showSettings = onPool(async (pool, _: unknown, { operatorId }) => ({
  items: await listSettings(pool),
  waiting: await listWaiting(pool, { kind: 'setting', operatorId }),
}))
const thenShow = showingAfter(showSettings)

export const settingRouter = router({
  list: operatorProcedure.output(Settings).query(showSettings),

  history: operatorProcedure
    .input(SettingReference)
    .output(z.object({ items: z.array(SettingChangeRow) }))
    .query(onPool(async (pool, { key }) => ({ items: await listSettingChanges(pool, key) }))),

  change: permittedProcedure('setting.edit')
    .input(SettingEdit)
    .output(Settings)
    .mutation(thenShow(onPrisma(changeSetting))),

  decide: permittedProcedure('setting.edit')
    .input(ApprovalVerdict)
    .output(Settings)
    .mutation(thenShow(onPrisma(decideSetting))),
})

const Done = z.object({ done: z.literal(true) })

const jobAct = (act: 'retry' | 'cancel') =>
  permittedProcedure('job.manage')
    .input(JobReference)
    .output(Done)
    .mutation(async ({ ctx, input: { id } }) => {
      await handleJob(ctx.services.database.prisma, act, { id, ...ctx.actor })
      return { done: true as const }
    })

export const jobRouter = router({
  overview: permittedProcedure('job.manage')
    .output(JobOverview)
    .query(({ ctx }) => showJobs(ctx.services.database.pool, ctx.services.runtime.now())),
  retry: jobAct('retry'),
  cancel: jobAct('cancel'),
})

export const keyRouter = router({
  cockpit: permittedProcedure('key.read')
    .output(KeyCockpit)
    .query(({ ctx }) => showKeys(ctx.services, PUSH_PATH)),

  enterCertificateEnd: permittedProcedure('setting.edit')
    .input(MerchantCertificateDate)
    .output(MerchantCertificateDate)
    .mutation(async ({ ctx, input }) => {
      await enterCertificateEnd(ctx.services, input, ctx.actor)
      return input
    }),
})

const scopeOf = ({ operator }: SignedInOperator): AuditScope => ({
  onlyOperatorId: mayOperator(operator.role, 'audit.everybody') ? null : operator.id,
})

export const auditRouter = router({
  list: operatorProcedure
    .input(AuditListQuery)
    .output(twoWayPageOf(AuditRow))
    .query(({ ctx, input }) => listAudit(ctx.services.database.pool, input, scopeOf(ctx.session))),

  count: operatorProcedure
    .input(AuditFilter)
    .output(RowCount)
    .query(({ ctx, input }) => countAudit(ctx.services.database.pool, input, scopeOf(ctx.session))),

  detail: operatorProcedure
    .input(AuditReference)
    .output(AuditEntry)
    .query(({ ctx, input }) => showAudit(ctx.services.database.pool, input.id, scopeOf(ctx.session))),

  actions: operatorProcedure
    .output(z.object({ items: z.array(z.string()) }))
    .query(async ({ ctx }) => ({ items: await listActions(ctx.services.database.pool) })),
})
