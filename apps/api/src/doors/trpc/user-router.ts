import {
  RevealedUser,
  RowCount,
  SessionEnd,
  twoWayPageOf,
  UserAction,
  UserDetail,
  UserFilter,
  UserListQuery,
  UserReference,
  UserRow,
} from '@meridian/contracts'
import type { Pool } from '@meridian/db'
import { showUser } from '../../account/show-user.ts'
import { countUsers, listUsers } from '../../users/list-users.ts'
import { disableUser, enableUser, endSessions, revealUser } from '../../users/manage-user.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'
import { onPool, showingAfter } from './resolvers.ts'

const show = (pool: Pool, { id }: { id: string }) => showUser(pool, id)
const thenShow = showingAfter(onPool(show))

export const userRouter = router({
  list: operatorProcedure.input(UserListQuery).output(twoWayPageOf(UserRow)).query(onPool(listUsers)),

  count: operatorProcedure.input(UserFilter).output(RowCount).query(onPool(countUsers)),

  detail: operatorProcedure.input(UserReference).output(UserDetail).query(onPool(show)),

  disable: permittedProcedure('user.disable')
    .input(UserAction)
    .output(UserDetail)
    .mutation(thenShow(onPool(disableUser))),

  enable: permittedProcedure('user.disable')
    .input(UserAction)
    .output(UserDetail)
    .mutation(thenShow(onPool(enableUser))),

  endSessions: permittedProcedure('user.sessions')
    .input(SessionEnd)
    .output(UserDetail)
    .mutation(thenShow(onPool(endSessions))),

  reveal: permittedProcedure('identifier.reveal')
    .input(UserAction)
    .output(RevealedUser)
    .mutation(onPool(revealUser)),
})
