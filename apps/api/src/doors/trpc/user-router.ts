import {
  ReportDetail,
  ReportFilter,
  ReportListQuery,
  ReportReference,
  ReportRow,
  RevealedUser,
  RowCount,
  SessionEnd,
  twoWayPageOf,
  UserAction,
  UserCard,
  UserCardOf,
  UserDetail,
  UserFilter,
  UserListQuery,
  UserReference,
  UserRow,
} from '@meridian/contracts'
import { showCard } from '../../account/show-card.ts'
import { showUser } from '../../account/show-user.ts'
import { countReports, listReports, openReport } from '../../reports/show-reports.ts'
import { countUsers, listUsers } from '../../users/list-users.ts'
import { disableUser, enableUser, endSessions, revealUser } from '../../users/manage-user.ts'
import { onPool, onPoolNaming, showingAfter } from './console-call.ts'
import { operatorProcedure, permittedProcedure, router } from './procedures.ts'

const show = onPoolNaming((pool, { id }: { id: string }, names) => showUser(pool, id, names))
const thenShow = showingAfter(show)

export const userRouter = router({
  list: operatorProcedure.input(UserListQuery).output(twoWayPageOf(UserRow)).query(onPoolNaming(listUsers)),

  count: operatorProcedure.input(UserFilter).output(RowCount).query(onPool(countUsers)),

  detail: operatorProcedure.input(UserReference).output(UserDetail).query(show),

  /** Beside whatever belongs to somebody. */
  card: operatorProcedure.input(UserCardOf).output(UserCard).query(onPoolNaming(showCard)),

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

const reading = permittedProcedure('report.read')

export const reportRouter = router({
  list: reading.input(ReportListQuery).output(twoWayPageOf(ReportRow)).query(onPoolNaming(listReports)),

  totals: reading.input(ReportFilter).output(RowCount).query(onPool(countReports)),

  /** A mutation, because that it was opened goes on record. */
  open: reading
    .input(ReportReference)
    .output(ReportDetail)
    .mutation(({ ctx: { services, session, from }, input: { id } }) =>
      services.bigReads.run(() =>
        openReport(services.database.prisma, { id, operatorId: session.operator.id, from }),
      ),
    ),
})
