import { randomUUID } from 'node:crypto'
import type { SettingKey } from '@meridian/contracts'
import { openFamily } from '../../../src/users/log-in.ts'
import { type Answer, Phone } from '../../world/phone.ts'
import { setSetting } from '../../world/set-setting.ts'
import type { TestWorld } from '../../world/test-world.ts'

/** Where an answer is provoked: a world in good order, one that lacks what others configure, and a new person. */
export type Stage = {
  world: TestWorld
  /** Neither payments nor login are configured, and each limit is one call a minute. */
  bare: TestWorld
  phone: Phone
  /** The key of another system, in both worlds. */
  key: string
}

/** Provokes one declared answer. */
export type Scene = (stage: Stage) => Promise<Answer>

/** By operation, then by problem code or status of a success. */
export type Scenes = Readonly<Record<string, Readonly<Record<string, Scene>>>>

/** Somebody who is known to a world without having logged in there. */
export async function plantUser(world: TestWorld): Promise<Phone> {
  const openid = `o${randomUUID()}`
  const [user] = await world.query<{ id: string }>(
    `WITH met AS (INSERT INTO users (id, openid) VALUES ($1, $2) RETURNING id),
       opened AS (INSERT INTO subscriptions (user_id) SELECT id FROM met)
     SELECT id FROM met`,
    [randomUUID(), openid],
  )
  const tokens = await openFamily(world.services, user?.id ?? '')
  return new Phone(`${world.url}/api/v1`, { openid, platform: world.platform, tokens })
}

/** What a setting says while something happens. */
export async function whileSetting<Result>(
  world: TestWorld,
  [key, value]: [key: SettingKey, value: unknown],
  happen: () => Promise<Result>,
): Promise<Result> {
  const [before] = await world.query<{ value: unknown }>('SELECT value FROM settings WHERE key = $1', [key])
  await setSetting(world, key, value)
  try {
    return await happen()
  } finally {
    await setSetting(world, key, before?.value ?? null)
  }
}

/** What the platform does while something happens. */
export async function whileFaults<Result>(
  { platform }: TestWorld,
  rules: Parameters<TestWorld['platform']['faults']['add']>,
  happen: () => Promise<Result>,
): Promise<Result> {
  platform.faults.add(...rules)
  try {
    return await happen()
  } finally {
    platform.faults.clear()
  }
}
