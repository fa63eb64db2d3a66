import { consoleDashboard } from './console.ts'
import { database } from './database.ts'
import { jobs } from './jobs.ts'
import { makeDashboard } from './make-dashboard.ts'
import { money } from './money.ts'
import { platform } from './platform.ts'

/** Every dashboard as the file that Grafana reads, by the name of the file. */
export const dashboardFiles: readonly { file: string; text: string }[] = [
  money,
  platform,
  jobs,
  database,
  consoleDashboard,
].map((plan) => ({ file: `${plan.name}.json`, text: `${JSON.stringify(makeDashboard(plan), null, 2)}\n` }))
