import { SearchHits, SearchText } from '@meridian/contracts'
import { findAnything } from '../../search/find-anything.ts'
import { operatorProcedure, router } from './procedures.ts'

export const searchRouter = router({
  find: operatorProcedure
    .input(SearchText)
    .output(SearchHits)
    .query(async ({ ctx, input }) => ({ hits: await findAnything(ctx.services.database.pool, input.text) })),
})
