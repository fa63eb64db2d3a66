import { StoredMessageTemplate } from '@meridian/contracts'
import { execute, query } from '@meridian/db'
import { type MiniProgram, MiniProgramError } from '@meridian/payments'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import type { Services } from '../services.ts'
import { messageData } from './messages.ts'
import {
  type ClaimedReminder,
  claimReminders,
  recordNotSent,
  recordSent,
  releaseReminder,
} from './reminders.ts'

/** What the platform answers when it surely did nothing and may do it later. */
const comesAgain = ({ reason, errcode }: MiniProgramError): boolean =>
  reason === 'misconfigured' || (errcode !== null && reason === 'busy')

/** Not what the platform says of it: ours, for a template that the setting does not describe. */
const misfit = new MiniProgramError('misconfigured')

async function send(miniProgram: MiniProgram, reminder: ClaimedReminder): Promise<void> {
  const template = StoredMessageTemplate.safeParse(reminder.template).data
  if (!template) throw misfit
  const { id: templateId, page } = template
  const data = messageData(template, reminder)
  await miniProgram.sendSubscribeMessage({ openid: reminder.openid, templateId, ...(page && { page }), data })
}

type Outcome = 'sent' | 'not_sent' | 'stop'

async function remind(
  services: Services,
  miniProgram: MiniProgram,
  reminder: ClaimedReminder,
): Promise<Outcome> {
  const { pool } = services.database
  try {
    await send(miniProgram, reminder)
    await recordSent(pool, reminder)
    return 'sent'
  } catch (error) {
    if (!(error instanceof MiniProgramError)) throw error
    const code = String(error.errcode ?? error.reason)
    if (!comesAgain(error)) {
      const refused = error.reason === 'not_subscribed'
      await recordNotSent(pool, reminder, { failure: code, refused })
      return 'not_sent'
    }
    await releaseReminder(pool, reminder, code)
    if (error.reason === 'misconfigured')
      await execute(pool, query('raise-alert', raiseAlertSql('reminder_misconfigured', code, { code })))
    return 'stop'
  }
}

/**
 * Tells users whose days end soon, as far as they allowed it: each reminder at most once, however many workers there
 * are and wherever one dies. Where the platform is busy or not set up right, the rest waits for the next run.
 */
export async function remindExpiring(services: Services): Promise<{ sent: number; notSent: number }> {
  const { miniProgram, database, log } = services
  const total = { sent: 0, notSent: 0 }
  for (;;) {
    const claimed = miniProgram ? await claimReminders(database.pool) : []
    if (!miniProgram || claimed.length === 0) break
    const outcomes = await Promise.all(claimed.map((reminder) => remind(services, miniProgram, reminder)))
    total.sent += outcomes.filter((one) => one === 'sent').length
    total.notSent += outcomes.filter((one) => one === 'not_sent').length
    if (outcomes.includes('stop')) break
  }
  if (total.sent + total.notSent > 0) log.info(total, 'reminded of subscriptions that end')
  return total
}
