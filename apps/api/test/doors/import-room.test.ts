import { MOST_WAITING_IMPORTS } from '@meridian/contracts'
import { expect, test } from 'vitest'
import { newSystem } from '../world/api-key.ts'
import { doDueJobs } from '../world/do-jobs.ts'
import { call, codeOf } from '../world/phone.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const owner = useConsole(world, 'owner')

test('only so many files wait for a worker, however many are sent at once; more is 429 until they are read', async () => {
  const { key } = await newSystem(world, owner, { scopes: ['imports:write'] })
  const send = (name: string) =>
    call(`${world.url}/api/v1/integration/imports?kind=subscribers`, {
      method: 'POST',
      token: key,
      headers: { 'content-type': 'text/csv' },
      body: `source,source_id,openid,days\n${name},1,${name},30\n`,
    })
  const names = Array.from({ length: MOST_WAITING_IMPORTS + 3 }, (_, at) => `room${at}`)
  const answers = await Promise.all(names.map(send))
  const refused = answers.filter(({ status }) => status !== 202)
  expect(refused.map(codeOf)).toEqual(Array.from({ length: 3 }, () => 'rate_limited'))
  expect(refused.map(({ status }) => status)).toEqual([429, 429, 429])
  expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(['30', '30', '30'])
  expect((await world.query('SELECT 1 FROM imports')).length).toBe(MOST_WAITING_IMPORTS)
  await doDueJobs(world)
  expect((await send('later')).status).toBe(202)
})
