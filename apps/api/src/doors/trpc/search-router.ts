import { mayOperator, SearchHits, SearchText } from '@meridian/contracts'
import { findAnything } from '../../search/find-anything.ts'
import { operatorProcedure, router } from './procedures.ts'

export const searchRouter = router({
  find: operatorProcedure
    .input(SearchText)
    .output(SearchHits)
    .query(({ ctx, input }) =>
      findAnything(ctx.services.database.pool, {
        text: input.text,
        mayReveal: mayOperator(ctx.session.operator.role, 'identifier.reveal'),
      }),
    ),
})
