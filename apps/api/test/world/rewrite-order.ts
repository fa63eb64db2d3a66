import type { TestWorld } from './test-world.ts'

/**
 * Assigns columns of an order that the database otherwise keeps as they were agreed: what time does to an order,
 * without waiting for it.
 */
export async function rewriteOrder(world: TestWorld, outTradeNo: string, assignments: string): Promise<void> {
  await world.query(`
    BEGIN; SET LOCAL session_replication_role = replica;
    UPDATE orders SET ${assignments} WHERE out_trade_no = '${outTradeNo}';
    COMMIT`)
}

/** An order that was made long ago and whose time to pay has run out. */
export const expireOrder = (world: TestWorld, outTradeNo: string) =>
  rewriteOrder(
    world,
    outTradeNo,
    `created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour'`,
  )
