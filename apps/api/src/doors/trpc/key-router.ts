import { KeyCockpit } from '@meridian/contracts'
import { showKeys } from '../../keys/show-keys.ts'
import { permittedProcedure, router } from './procedures.ts'

export const keyRouter = router({
  cockpit: permittedProcedure('key.read')
    .output(KeyCockpit)
    .query(({ ctx }) => showKeys(ctx.services)),
})
