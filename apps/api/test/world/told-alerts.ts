import { z } from 'zod'
import { registerChannels } from '../../src/alerts/delivery/hold-lease.ts'
import { sendWith } from '../../src/alerts/delivery/send-message.ts'
import { openSender } from '../../src/alerts/delivery/send-to-channel.ts'
import { type Robot, startRobot } from './robots.ts'
import { openTestWorld, type TestWorld, type WorldOptions } from './test-world.ts'

const Told = z.object({
  source: z.literal('meridian'),
  url: z.string(),
  text: z.string(),
  id: z.string(),
  kind: z.string(),
  severity: z.string(),
  state: z.enum(['open', 'over']),
  subject: z.string(),
  times: z.number(),
  opened_at: z.iso.datetime(),
  over_at: z.iso.datetime().nullable(),
  healed_by: z.string().nullable(),
})
/** A message about one alert, as a webhook gets it. */
export type Told = z.infer<typeof Told>

/** Rounds of one channel, made when they are called for, as whoever holds the lease makes them every few seconds. */
async function roundsOf({ services }: TestWorld, robot: Robot): Promise<() => Promise<Told[]>> {
  const { config, database } = services
  const [channel] = config.alerts.channels
  if (!channel) throw new Error('there is no channel')
  await registerChannels(database.pool, config.alerts.channels)
  const tellRound = openSender(channel, {
    pool: database.pool,
    send: sendWith(services),
    consoleUrl: config.CONSOLE_URL,
    maySend: () => true,
    pauseSeconds: 1,
  })
  return async () => {
    const before = robot.taken.length
    await tellRound()
    return robot.taken.slice(before).map((text) => Told.parse(JSON.parse(text)))
  }
}

/** A world whose alerts are told to one webhook: `tell` makes one round and answers what was told in it. */
export async function openToldWorld(options: WorldOptions = {}) {
  const robot = await startRobot('webhook')
  const channel = { ALERT_CHANNELS: robot.setting, ALERT_ALLOW_PRIVATE: 'true' }
  const world = await openTestWorld({ ...options, environment: { ...options.environment, ...channel } })
  return {
    world,
    tell: await roundsOf(world, robot),
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]()
      await robot[Symbol.asyncDispose]()
    },
  }
}
