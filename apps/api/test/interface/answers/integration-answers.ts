import { ImportAnswer } from '@meridian/contracts'
import { addSubscriber } from '../../world/add-subscriber.ts'
import { call } from '../../world/phone.ts'
import { userIdOf } from '../../world/somebody.ts'
import type { Scenes, Stage } from './stage.ts'

const at = ({ world }: Stage, path: string) => `${world.url}/api/v1/integration${path}`
const get = (stage: Stage, path: string) => call(at(stage, path), { token: stage.key })
const give = (stage: Stage, order: object) =>
  call(at(stage, '/grants'), {
    method: 'POST',
    token: stage.key,
    body: { openid: stage.phone.openid, days: 1, reason: 'test', idempotency_key: 'k', ...order },
  })
/** A call under a name that one before has. */
const givingAgain = (order: object) => async (stage: Stage) => {
  await give(stage, { idempotency_key: stage.phone.openid })
  return give(stage, { idempotency_key: stage.phone.openid, ...order })
}

const sendCsv = (stage: Stage, query: string, body: string) =>
  call(`${at(stage, '/imports')}${query}`, {
    method: 'POST',
    token: stage.key,
    headers: { 'content-type': 'text/csv' },
    body,
  })
const nobody = '0199f1a2-7b3c-7d4e-8f50-123456789abc'

export const integrationAnswers: Scenes = {
  'POST /integration/imports': {
    '202': (stage) => sendCsv(stage, '?kind=subscribers&dry_run=true', 'source,source_id,openid,days\n'),
    invalid_request: (stage) => sendCsv(stage, '?kind=colours', 'source\n'),
  },
  'GET /integration/imports/{id}': {
    '200': async (stage) => {
      const { body } = await sendCsv(
        stage,
        '?kind=subscribers&dry_run=true',
        'source,source_id,openid,days\n',
      )
      return get(stage, `/imports/${ImportAnswer.parse(body).id}`)
    },
    not_found: (stage) => get(stage, `/imports/${nobody}`),
    invalid_request: (stage) => get(stage, '/imports/x'),
  },
  'GET /integration/entitlements': {
    '200': async (stage) => get(stage, `/entitlements?user_id=${await userIdOf(stage.world, stage.phone)}`),
    user_not_found: (stage) => get(stage, '/entitlements?openid=nobody'),
  },
  'GET /integration/orders': {
    range_too_wide: async (stage) => {
      const hold = await stage.world.services.doors.jobs.pool.connect()
      try {
        await hold.query('BEGIN; LOCK TABLE orders IN ACCESS EXCLUSIVE MODE')
        return await get(stage, '/orders')
      } finally {
        await hold.query('ROLLBACK')
        hold.release()
      }
    },
  },
  'GET /integration/orders/{out_trade_no}': {
    '200': async (stage) => {
      const { order } = await stage.phone.buys()
      return get(stage, `/orders/${order.out_trade_no}`)
    },
    order_not_found: (stage) => get(stage, '/orders/M0'),
  },
  'POST /integration/grants': {
    '201': (stage) => give(stage, { idempotency_key: stage.phone.openid }),
    '200': givingAgain({}),
    user_not_found: (stage) => give(stage, { openid: 'nobody', idempotency_key: 'nobody' }),
    idempotency_key_reused: givingAgain({ days: 2 }),
    grant_limit_reached: async (stage) => {
      const { openid } = await addSubscriber(stage.world, 0)
      await give(stage, { openid, idempotency_key: `${openid}-1`, days: 31 })
      return give(stage, { openid, idempotency_key: `${openid}-2` })
    },
  },
}
