import { CustomerMoney, FeedQuery, FeedRow, twoWayPageOf, UserReference } from '@meridian/contracts'
import { listFeed } from '../../account/feed/list-feed.ts'
import { showMoney } from '../../account/show-money.ts'
import { onPool } from './console-call.ts'
import { operatorProcedure, router } from './procedures.ts'

export const customerRouter = router({
  money: operatorProcedure
    .input(UserReference)
    .output(CustomerMoney)
    .query(onPool((pool, { id }) => showMoney(pool, id))),

  feed: operatorProcedure
    .input(FeedQuery)
    .output(twoWayPageOf(FeedRow))
    .query(({ ctx: { services, session }, input }) =>
      listFeed(services.database.pool, input, {
        operatorId: session.operator.id,
        role: session.operator.role,
      }),
    ),
})
