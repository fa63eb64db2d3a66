import { expect, test } from 'vitest'
import { idOf, signedInConsole } from '../world/console.ts'
import { openTestWorld } from '../world/test-world.ts'

test('open alerts and waiting approvals are counted for every page, up to one beyond 99', async () => {
  await using world = await openTestWorld()
  const email = 'viewer@example.com'
  const { console } = await signedInConsole(world, { email, role: 'viewer' })
  expect(await console.dashboard.waiting.query()).toEqual({ alerts: 0, approvals: 0, inbox: 0, files: [] })
  await world.query(
    `INSERT INTO approval_requests (kind, subject, before, after, requested_by)
     SELECT 'plan', 'plan-' || n, 'null', '{}', $1::uuid FROM generate_series(1, 3) n`,
    [await idOf(world, email)],
  )
  await world.query(
    `INSERT INTO alerts (kind, subject) SELECT 'job_dead', 'job-' || n FROM generate_series(1, 150) n`,
  )
  expect(await console.dashboard.waiting.query()).toEqual({ alerts: 100, approvals: 3, inbox: 0, files: [] })
  await world.query('UPDATE alerts SET resolved_at = business_now()')
  expect(await console.dashboard.waiting.query()).toEqual({ alerts: 0, approvals: 3, inbox: 0, files: [] })
})
