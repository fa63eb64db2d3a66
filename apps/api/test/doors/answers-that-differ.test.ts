import { afterEach, expect, test } from 'vitest'
import { payInSilence } from '../world/pay-in-silence.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ log: (line) => lines.push(line) })
const console = useConsole(world, 'operator')
const lines: string[] = []

afterEach(() => world.platform.faults.clear())

const differing = ['wrong_amount', 'wrong_currency', 'wrong_app_id', 'wrong_mch_id'] as const
const stateOf = async (outTradeNo: string) =>
  (await world.query('SELECT status::text FROM orders WHERE out_trade_no = $1', [outTradeNo]))[0]

test.each(differing)(
  'a payment that the platform reports with %s is told as that to who asks and to who closes, and moves nothing',
  async (kind) => {
    const { outTradeNo } = await payInSilence(world)
    world.platform.faults.add({ kind, at: 'query', outTradeNo, times: 2 })
    expect(await console.order.sync.mutate({ outTradeNo })).toMatchObject({ outcome: 'mismatch' })
    expect(await console.order.close.mutate({ outTradeNo })).toMatchObject({ outcome: 'mismatch' })
    expect(await stateOf(outTradeNo)).toEqual({ status: 'prepay' })
    expect(await console.order.sync.mutate({ outTradeNo })).toMatchObject({ outcome: 'paid' })
  },
)

test('what the platform answered about an order is in the log, with its number of the question', async () => {
  const { outTradeNo } = await payInSilence(world)
  await console.order.sync.mutate({ outTradeNo })
  const told = () => lines.map((line): Record<string, unknown> => JSON.parse(line))
  const line = { outTradeNo, platformState: 'paid', platformRequestId: expect.stringMatching(/^[\w-]+$/) }
  await expect.poll(told).toContainEqual(expect.objectContaining(line))
})
