import type { Jobs } from '../jobs/job-table.ts'
import type { Services } from '../services.ts'

export async function confirmDelivery(_services: Services, _job: Jobs['confirm_delivery']): Promise<void> {}
