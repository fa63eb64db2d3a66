import type { EventTypeName } from '@meridian/contracts'
import { collectEvents } from '../../src/events/collect-events.ts'
import { reachOfEvents } from '../../src/events/reach.ts'
import { openSender } from '../../src/events/send-deliveries.ts'
import { postWith } from '../../src/platform/network/post-message.ts'
import type { Console } from './console.ts'
import type { Receiver } from './receiver.ts'
import type { TestWorld } from './test-world.ts'

/** Shorter than in earnest, so that a receiver that hangs is waited for no longer than that. */
const timeoutMs = 500

/** Collects what happened and sends what is due, as a worker does, until nothing is; what waits for its time waits. */
export async function sendDueEvents({ services }: Pick<TestWorld, 'services'>): Promise<void> {
  const { pool } = services.doors.jobs
  const { config } = services
  const failures: unknown[] = []
  const sender = openSender({
    pool,
    inTurn: (work) => work(),
    post: postWith(reachOfEvents(config.platform), { timeoutMs, keepBytes: 4_096 }),
    dataKeys: config.DATA_KEY,
    onFailure: (error) => failures.push(error),
  })
  await collectEvents(pool)
  while ((await sender.begin()) > 0) await sender.settled()
  if (failures.length > 0) throw failures[0]
}

/** An endpoint that an owner has just made for a receiver, which knows its secret. */
export async function connectReceiver(
  owner: Console,
  receiver: Receiver,
  types: EventTypeName[] = [],
): Promise<string> {
  const wanted = { url: receiver.url, description: 'a receiver', types }
  const { id, secret } = await owner.webhooks.create.mutate(wanted)
  receiver.secrets.push(secret)
  return id
}
