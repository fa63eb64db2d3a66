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
import { showUser } from '../../account/show-user.ts'
import { countUsers, listUsers } from '../../users/list-users.ts'
import { disableUser, enableUser, endSessions, revealUser } from '../../users/manage-user.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

export const userRouter = router({
  list: operatorProcedure
    .input(UserListQuery)
    .output(twoWayPageOf(UserRow))
    .query(({ ctx, input }) => listUsers(ctx.services.database.pool, input)),

  count: operatorProcedure
    .input(UserFilter)
    .output(RowCount)
    .query(({ ctx, input }) => countUsers(ctx.services.database.pool, input)),

  detail: operatorProcedure
    .input(UserReference)
    .output(UserDetail)
    .query(({ ctx, input }) => showUser(ctx.services.database.pool, input.id)),

  disable: permittedProcedure('user.disable')
    .input(UserAction)
    .output(UserDetail)
    .mutation(async ({ ctx, input }) => {
      const { pool } = ctx.services.database
      await disableUser(pool, input, ctx.actor)
      return showUser(pool, input.id)
    }),

  enable: permittedProcedure('user.disable')
    .input(UserAction)
    .output(UserDetail)
    .mutation(async ({ ctx, input }) => {
      const { pool } = ctx.services.database
      await enableUser(pool, input, ctx.actor)
      return showUser(pool, input.id)
    }),

  endSessions: permittedProcedure('user.sessions')
    .input(SessionEnd)
    .output(UserDetail)
    .mutation(async ({ ctx, input }) => {
      const { pool } = ctx.services.database
      await endSessions(pool, input, ctx.actor)
      return showUser(pool, input.id)
    }),

  reveal: permittedProcedure('identifier.reveal')
    .input(UserAction)
    .output(RevealedUser)
    .mutation(({ ctx, input }) => revealUser(ctx.services.database.pool, input, ctx.actor)),
})
