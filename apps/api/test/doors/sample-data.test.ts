import { systemRuntime } from '@meridian/payments'
import { expect, test } from 'vitest'
import { problemOf, signedInConsole } from '../world/console.ts'
import { openTestWorld, type WorldOptions } from '../world/test-world.ts'

const confirmation = 'sample data'

/** A sandbox that was told how to play: it answers at one path, all else is the platform's. */
function playingSandbox() {
  const asked: unknown[] = []
  let play = { state: 'idle', day: 0, days: 0, said: '' }
  const fetchOf: typeof fetch = async (input, init) => {
    if (!String(input).endsWith('/sandbox/demo')) return systemRuntime.fetch(input, init)
    if (init?.method === 'POST') {
      asked.push(JSON.parse(String(init.body)))
      play = { ...play, state: 'playing', days: 90 }
    }
    return Response.json(play)
  }
  return { asked, runtime: { fetch: fetchOf } }
}

async function openDesk(options: WorldOptions) {
  const world = await openTestWorld(options)
  const { console: owner } = await signedInConsole(world, { email: 'owner@example.com' })
  const acts = () => world.query(`SELECT after FROM audit_entries WHERE action = 'sample_data.play'`)
  return { world, owner, acts }
}

test('an owner who has typed what it is has the sandbox play ninety days, once at a time, on the record', async () => {
  const { asked, runtime } = playingSandbox()
  const { world, owner, acts } = await openDesk({ runtime })
  await using _ = world
  expect(await owner.sampleData.show.query()).toEqual({ state: 'idle', day: 0, days: 0 })
  const typed: string = 'yes'
  expect(await problemOf(Reflect.apply(owner.sampleData.play.mutate, null, [{ confirmation: typed }]))).toBe(
    'invalid_request',
  )
  expect(await owner.sampleData.play.mutate({ confirmation })).toEqual({ state: 'playing', day: 0, days: 90 })
  expect(asked).toEqual([{ users: 40, days: 90, seed: 1 }])
  expect(await acts()).toEqual([{ after: { users: 40, days: 90, seed: 1 } }])
  expect(await problemOf(owner.sampleData.play.mutate({ confirmation }))).toBe('sample_data_playing')
  for (const role of ['viewer', 'operator', 'finance'] as const) {
    const { console } = await signedInConsole(world, { email: `${role}@example.com`, role })
    expect(await problemOf(console.sampleData.play.mutate({ confirmation }))).toBe('forbidden')
  }
  expect(asked).toHaveLength(1)
})

test('a sandbox that cannot play is not asked to, and nothing is on the record', async () => {
  const { world, owner, acts } = await openDesk({})
  await using _ = world
  expect(await owner.sampleData.show.query()).toMatchObject({ state: 'unavailable' })
  expect(await problemOf(owner.sampleData.play.mutate({ confirmation }))).toBe('sample_data_unavailable')
  expect(await acts()).toEqual([])
})

test('outside a sandbox nobody is asked', async () => {
  const { asked, runtime } = playingSandbox()
  const { world, owner, acts } = await openDesk({ payments: 'off', runtime })
  await using _ = world
  expect(await owner.sampleData.show.query()).toMatchObject({ state: 'unavailable' })
  expect(await problemOf(owner.sampleData.play.mutate({ confirmation }))).toBe('sandbox_only')
  expect([asked, await acts()]).toEqual([[], []])
})
