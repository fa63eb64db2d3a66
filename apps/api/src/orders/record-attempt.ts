import type { Connection } from '@meridian/db'
import type { VirtualOrder } from '@meridian/payments'

export async function recordAttemptFacts(_db: Connection, _order: VirtualOrder): Promise<void> {}
