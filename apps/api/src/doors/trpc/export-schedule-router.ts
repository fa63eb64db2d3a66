import { ExportScheduleReference, ExportScheduleRow, NewExportSchedule } from '@meridian/contracts'
import { z } from 'zod'
import {
  createSchedule,
  listSchedules,
  pauseSchedule,
  removeSchedule,
  resumeSchedule,
} from '../../exports/export-schedules.ts'
import { onPool } from './console-call.ts'
import { permittedProcedure, readingProcedure, router } from './procedures.ts'

const managing = permittedProcedure('export.schedule')

/** Files that are written every day by themselves. */
export const exportScheduleRouter = router({
  list: readingProcedure('export.schedule')
    .output(z.object({ items: z.array(ExportScheduleRow) }))
    .query(async ({ ctx }) => ({ items: await listSchedules(ctx.services.database.pool) })),

  create: managing
    .input(NewExportSchedule)
    .output(ExportScheduleReference)
    .mutation(({ ctx: { services, language, actor }, input }) =>
      createSchedule(
        services.database.pool,
        {
          ...input,
          language,
          dataKeys: services.config.DATA_KEY,
          reach: services.config.platform === 'sandbox' ? 'loopback' : 'public',
        },
        actor,
      ),
    ),

  pause: managing.input(ExportScheduleReference).mutation(onPool(pauseSchedule)),
  resume: managing.input(ExportScheduleReference).mutation(onPool(resumeSchedule)),
  remove: managing.input(ExportScheduleReference).mutation(onPool(removeSchedule)),
})
