import { JobOverview, JobReference } from '@meridian/contracts'
import { z } from 'zod'
import { handleJob } from '../../jobs/handle-job.ts'
import { showJobs } from '../../jobs/show-jobs.ts'
import { permittedProcedure, router } from './procedures.ts'

const Done = z.object({ done: z.literal(true) })

const jobAct = (act: 'retry' | 'cancel') =>
  permittedProcedure('job.manage')
    .input(JobReference)
    .output(Done)
    .mutation(async ({ ctx, input: { id } }) => {
      await handleJob(ctx.services.database.prisma, act, { id, ...ctx.actor })
      return { done: true as const }
    })

export const jobRouter = router({
  overview: permittedProcedure('job.manage')
    .output(JobOverview)
    .query(({ ctx }) => showJobs(ctx.services.database.pool, ctx.services.runtime.now())),
  retry: jobAct('retry'),
  cancel: jobAct('cancel'),
})
