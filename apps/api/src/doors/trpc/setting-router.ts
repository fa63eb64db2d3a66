import { SettingChangeRow, SettingEdit, SettingReference, SettingRow } from '@meridian/contracts'
import { z } from 'zod'
import { changeSetting } from '../../settings/change-setting.ts'
import { listSettingChanges, listSettings } from '../../settings/list-settings.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

const Settings = z.object({ items: z.array(SettingRow) })

export const settingRouter = router({
  list: operatorProcedure
    .output(Settings)
    .query(async ({ ctx }) => ({ items: await listSettings(ctx.services.database.pool) })),

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
      const editor = { operatorId: ctx.session.operator.id, from: ctx.from }
      await changeSetting(ctx.services.database.prisma, input, editor)
      return { items: await listSettings(ctx.services.database.pool) }
    }),
})
