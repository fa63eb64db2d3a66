import {
  ApprovalVerdict,
  SettingChangeRow,
  SettingEdit,
  SettingReference,
  SettingRow,
  WaitingApproval,
} from '@meridian/contracts'
import { z } from 'zod'
import { listWaiting } from '../../approvals/list-waiting.ts'
import { changeSetting } from '../../settings/change-setting.ts'
import { decideSetting } from '../../settings/decide-setting.ts'
import { listSettingChanges, listSettings } from '../../settings/list-settings.ts'
import type { ConsoleContext } from './context.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

const Settings = z.object({ items: z.array(SettingRow), waiting: z.array(WaitingApproval) })

type Signed = ConsoleContext & { session: { operator: { id: string } } }

/** Every setting, and the changes of them that wait for a second owner. */
async function showSettings({ services: { database }, session }: Signed) {
  const look = { kind: 'setting', operatorId: session.operator.id } as const
  return { items: await listSettings(database.pool), waiting: await listWaiting(database.pool, look) }
}

export const settingRouter = router({
  list: operatorProcedure.output(Settings).query(({ ctx }) => showSettings(ctx)),

  history: operatorProcedure
    .input(SettingReference)
    .output(z.object({ items: z.array(SettingChangeRow) }))
    .query(async ({ ctx, input }) => ({
      items: await listSettingChanges(ctx.services.database.pool, input.key),
    })),

  change: permittedProcedure('setting.edit')
    .input(SettingEdit)
    .output(Settings)
    .mutation(async ({ ctx, input }) => {
      await changeSetting(ctx.services.database.prisma, input, ctx.actor)
      return showSettings(ctx)
    }),

  decide: permittedProcedure('setting.edit')
    .input(ApprovalVerdict)
    .output(Settings)
    .mutation(async ({ ctx, input }) => {
      await decideSetting(ctx.services.database.prisma, input, ctx.actor)
      return showSettings(ctx)
    }),
})
