import { TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { idOf } from '../world/console.ts'
import { sendRefund } from '../world/send-refund.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const email = 'owner@example.com'
const world = useTestWorld({ platform: { refundsSettleAfterMs: null }, log: (line) => lines.push(line) })
const console = useConsole(world, { email })
const lines: string[] = []

/** What the console was told of a call that failed. */
async function failed(work: Promise<unknown>): Promise<{ code: string; requestId: string }> {
  const error = await work.then(
    () => null,
    (failure: unknown) => failure,
  )
  if (!(error instanceof TRPCClientError)) throw new Error('the call did not fail')
  return error.data.problem
}

const told = () => lines.map((line): Record<string, unknown> => JSON.parse(line))

test('a platform that fails behind a call of the console is in the log, under the id that the operator was told', async () => {
  const { order } = await (await world.phone()).buys()
  const outTradeNo = order.out_trade_no
  const phone = await world.phone()
  const { outRefundNo } = await sendRefund(world, { phone, operatorId: await idOf(world, email) })
  world.platform.faults.set([
    { kind: 'error_before', at: 'query', status: 500 },
    { kind: 'error_before', at: 'refund_query', status: 500 },
  ])
  const failures = {
    'order.sync': await failed(console.order.sync.mutate({ outTradeNo })),
    'refund.retry': await failed(console.refund.retry.mutate({ outRefundNo })),
  }
  world.platform.faults.clear()
  for (const [procedure, { code, requestId }] of Object.entries(failures)) {
    expect(code).toBe('payment_platform_error')
    const line = {
      ...{ level: 40, msg: 'request failed', code, reqId: requestId, procedure },
      reason: expect.stringMatching(/^refused: status 500/),
    }
    await expect.poll(told).toContainEqual(expect.objectContaining(line))
  }
})

test('a bug behind a call of the console is in the log with its stack, under the id that the operator was told', async () => {
  await world.query('ALTER TABLE plans RENAME TO hidden_away')
  const { code, requestId } = await failed(console.plan.list.query())
  await world.query('ALTER TABLE hidden_away RENAME TO plans')
  expect(code).toBe('internal_error')
  const line = {
    ...{ level: 50, msg: 'unexpected error', reqId: requestId, procedure: 'plan.list' },
    err: expect.objectContaining({ stack: expect.any(String) }),
  }
  await expect.poll(told).toContainEqual(expect.objectContaining(line))
})
