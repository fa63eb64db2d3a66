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
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'
import { onPool, onPrisma, showingAfter } from './resolvers.ts'

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
