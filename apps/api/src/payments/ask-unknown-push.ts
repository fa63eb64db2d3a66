import type { Jobs } from '../jobs/job-table.ts'
import type { Services } from '../services.ts'

export async function askUnknownPush(_services: Services, _job: Jobs['ask_unknown_push']): Promise<void> {}
