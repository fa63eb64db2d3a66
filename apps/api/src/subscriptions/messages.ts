import { fieldTypeOf, MessageAttempt, type MessageTemplate, type MessageValue } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { keptSinceSql } from '../platform/time/business-time.ts'
import { EXPIRY_TEMPLATE } from './reminders.ts'

/** What a message about the end of a subscription can say. */
type ReminderFacts = { planName: string | null; expiresAt: Date; remainingDays: number }

const timeParts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const dayParts = { timeZone: 'Asia/Shanghai', year: 'numeric', month: 'long', day: 'numeric' } as const
const timeInChina = new Intl.DateTimeFormat('zh-CN', { ...dayParts, ...timeParts })
const dateInChina = new Intl.DateTimeFormat('zh-CN', dayParts)
const digitsInChina = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'short',
  timeStyle: 'short',
})

/** How many characters a field of a type holds (subscribe messages, value limits). */
const longest: Readonly<Record<string, number>> = {
  thing: 20,
  character_string: 32,
  number: 32,
  phrase: 5,
  name: 10,
}

const hanOnly = (text: string) => text.replace(/\P{Script=Han}/gu, '')

const planOf = ({ planName }: ReminderFacts, type: string): string => {
  const name = planName ?? '会员服务'
  return type === 'thing' ? name : hanOnly(name) || '会员'
}

function endOf({ expiresAt }: ReminderFacts, type: string): string {
  if (type === 'date') return dateInChina.format(expiresAt)
  return type === 'time' ? timeInChina.format(expiresAt) : digitsInChina.format(expiresAt)
}

const writers: Readonly<Record<MessageValue, (facts: ReminderFacts, type: string) => string>> = {
  plan: planOf,
  expires_at: endOf,
  remaining_days: ({ remainingDays }, type) =>
    type === 'thing' ? `${remainingDays} 天` : String(remainingDays),
  notice: ({ remainingDays }) => `还有 ${remainingDays} 天到期，续费后天数顺延`,
}

/** The fields of a template, each in the form of its type and cut to what it holds; characters are counted whole. */
export const messageData = (template: MessageTemplate, facts: ReminderFacts): Record<string, string> =>
  Object.fromEntries(
    Object.entries(template.fields).map(([field, value]) => {
      const type = fieldTypeOf(field)
      const text = [...writers[value](facts, type)].slice(0, longest[type] ?? 64).join('')
      return [field, text]
    }),
  )

const messageAttemptColumns = columnsOf(MessageAttempt)

type Messages = { remaining: number; items: MessageAttempt[] }

/** How many reminders a user still allows, and the newest twenty messages that were sent to them or refused. */
export async function listMessages(pool: Pool, userId: string): Promise<Messages> {
  const [allowed] = await execute(
    pool,
    query(
      'show-message-permission',
      Prisma.sql`
      SELECT remaining FROM message_permissions WHERE user_id = ${userId}::uuid AND template = ${EXPIRY_TEMPLATE}`,
      { remaining: column.number },
    ),
  )
  const items = await execute(
    pool,
    query(
      'list-messages-of-user',
      Prisma.sql`
      SELECT id::text, kind, failure, at FROM message_attempts WHERE user_id = ${userId}::uuid
      ORDER BY at DESC, id DESC LIMIT 20`,
      messageAttemptColumns,
    ),
  )
  return { remaining: allowed?.remaining ?? 0, items }
}

/** Messages tried long ago, at most so many at once. */
export const purgeMessageAttemptsSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM message_attempts WHERE id IN (
    SELECT id FROM message_attempts WHERE at < ${keptSinceSql('message_attempts')} ORDER BY at LIMIT ${limit})
  RETURNING 1 AS gone`
