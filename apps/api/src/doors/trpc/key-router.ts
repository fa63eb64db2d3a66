import { KeyCockpit, MerchantCertificateDate } from '@meridian/contracts'
import { enterCertificateEnd } from '../../keys/merchant-certificate.ts'
import { showKeys } from '../../keys/show-keys.ts'
import { permittedProcedure, router } from './procedures.ts'

export const keyRouter = router({
  cockpit: permittedProcedure('key.read')
    .output(KeyCockpit)
    .query(({ ctx }) => showKeys(ctx.services)),

  enterCertificateEnd: permittedProcedure('setting.edit')
    .input(MerchantCertificateDate)
    .output(MerchantCertificateDate)
    .mutation(async ({ ctx, input }) => {
      await enterCertificateEnd(ctx.services, input, ctx.actor)
      return input
    }),
})
