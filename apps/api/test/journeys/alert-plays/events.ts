import { signedInConsole } from '../../world/console.ts'
import { startReceiver } from '../../world/receiver.ts'
import { connectReceiver, sendDueEvents } from '../../world/send-events.ts'
import { look, passWorking } from '../../world/watch.ts'
import type { SomePlays } from './play.ts'

/** Events for other systems. */
export const events = {
  outbox_stuck: {
    subject: /^events$/,
    raise: async (world) => {
      await using receiver = await startReceiver()
      const { console: owner } = await signedInConsole(world, { email: 'o@example.com', role: 'owner' })
      await connectReceiver(owner, receiver)
      await (await world.phone()).buysAndPays()
      await passWorking(world, { minutes: 11 })
      await look(world)
      return {
        again: async () => {
          await passWorking(world, { minutes: 1 })
          await look(world)
        },
        end: async () => {
          await sendDueEvents(world)
          await look(world)
        },
      }
    },
  },
  endpoint_disabled: {
    subject: /^\w{4}••••\w{4}$/,
    onceOnly: true,
    raise: async (world) => {
      await using receiver = await startReceiver()
      const { console: owner } = await signedInConsole(world, { email: 'o@example.com', role: 'owner' })
      const id = await connectReceiver(owner, receiver)
      receiver.behave(410)
      await owner.webhooks.test.mutate({ id })
      await sendDueEvents(world)
      return { end: () => owner.webhooks.switch.mutate({ id, enabled: true }) }
    },
  },
} satisfies SomePlays
