import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from '@meridian/db'
import type { AlertChannel } from './alert-channel.ts'
import { type Batch, decideMessages } from './decide-messages.ts'
import { findUnsent } from './find-unsent.ts'
import { type Outcome, recordMessage, recordTest } from './record-message.ts'
import type { Send } from './send-message.ts'
import type { AlertMessage } from './write-message.ts'

export type Sender = {
  pool: Pool
  send: Send
  consoleUrl: string
  /** Whether this process may begin a message: it holds the lease for longer than a message takes. */
  maySend: () => boolean
  /** The first pause of a channel that fails. */
  pauseSeconds: number
}

/** Feishu takes at most five messages a second. */
const gapMs = 250

const messageOf = (batch: Batch, consoleUrl: string): AlertMessage | null => {
  const [news] = batch
  if (!news) return null
  if (batch.length > 1) return { kind: 'bundle', all: batch, consoleUrl }
  return { kind: news.overAt ? 'over' : 'opened', news, consoleUrl }
}

/**
 * Sends one channel what it has not been sent, round by round. What was sent and could not be written down is
 * remembered and written down before anything else is sent, so that only the death of the process repeats a message.
 */
export function openSender(channel: AlertChannel, sender: Sender) {
  const { pool, send, consoleUrl, maySend, pauseSeconds } = sender
  let unrecorded: Outcome | null = null

  const record = async (outcome: Outcome) => {
    unrecorded = outcome
    await recordMessage(pool, outcome, pauseSeconds)
    unrecorded = null
  }

  const deliver = async (batch: Batch): Promise<boolean> => {
    const message = messageOf(batch, consoleUrl)
    if (!message || !maySend()) return false
    const refusal = await send(channel, message)
    await record({ channelId: channel.id, batch, refusal })
    await delay(gapMs)
    return refusal === null
  }

  return async function sendRound(): Promise<void> {
    if (!maySend()) return
    if (unrecorded) await record(unrecorded)
    const { unsent, allowance, testId } = await findUnsent(pool, channel.id)
    if (testId && allowance > 0) {
      const refusal = await send(channel, { kind: 'test', consoleUrl })
      await recordTest(pool, testId, { channelId: channel.id, refusal })
    }
    const batches = decideMessages(unsent, testId ? allowance - 1 : allowance)
    for (const batch of batches) if (!(await deliver(batch))) return
  }
}
