import { fieldTypeOf, type MessageTemplate, type MessageValue } from '@meridian/contracts'

/** What a message about the end of a subscription can say. */
export type ReminderFacts = { planName: string | null; expiresAt: Date; remainingDays: number }

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
