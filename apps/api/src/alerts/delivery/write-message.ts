import type { AlertSeverity } from '@meridian/contracts'
import { masked } from '../../log.ts'

/** What a message says of an alert. */
export type AlertNews = {
  id: string
  kind: string
  severity: AlertSeverity
  /** Masked: numbers of orders, refunds and people are not for everybody in a group. */
  subject: string
  times: number
  openedAt: Date
  /** When it was over; null while it is open. */
  overAt: Date | null
}

/** One message: of one alert, of all that would be too many one by one, or a test. */
export type AlertMessage = { consoleUrl: string } & (
  | { kind: 'opened' | 'over'; news: AlertNews }
  | { kind: 'bundle'; all: readonly AlertNews[] }
  | { kind: 'test' }
)

const isTelling = (word: string) => /\d/.test(word) && !/^\d{4}-\d\d-\d\d$/.test(word)

/** The subject for other people's eyes: numbers of orders, refunds and users are shown in part, days and words whole. */
export const maskedSubject = (subject: string): string =>
  subject
    .split(' ')
    .map((word) => (isTelling(word) ? masked(word) : word))
    .join(' ')

const chinaTime = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'short',
  timeStyle: 'medium',
})
const timeOf = (moment: Date) => `${chinaTime.format(moment)} (UTC+8)`

const linkOf = (consoleUrl: string) => new URL('/alerts?view=alerts', consoleUrl).href

function newsText({ id, kind, severity, subject, times, openedAt, overAt }: AlertNews): string[] {
  return [
    overAt ? `【已恢复 over】${kind} (${severity})` : `【${severity}】${kind}`,
    `Meridian 告警 alert #${id}`,
    ...(subject ? [`对象 subject: ${subject}`] : []),
    `开始 since: ${timeOf(openedAt)}`,
    ...(overAt ? [`结束 until: ${timeOf(overAt)}`] : []),
    ...(times > 1 ? [`次数 times: ${times}`] : []),
  ]
}

const newsLine = ({ id, kind, severity, subject, openedAt, overAt }: AlertNews) =>
  `${overAt ? 'over' : severity} ${kind} ${subject} #${id} since ${chinaTime.format(openedAt)}`

/** The shortest limit of all robots is WeCom's: 2,048 bytes. What does not fit is counted. */
const mostBytes = 1_700

function linesThatFit(lines: readonly string[]): string[] {
  let bytes = 0
  const fitting = lines.filter((line) => {
    bytes += Buffer.byteLength(line) + 1
    return bytes <= mostBytes
  })
  const left = lines.length - fitting.length
  return left === 0 ? fitting : [...fitting, `… 另有 ${left} 条 / ${left} more`]
}

function bundleText(all: readonly AlertNews[]): string[] {
  const open = all.filter(({ overAt }) => !overAt)
  const critical = open.filter(({ severity }) => severity === 'critical').length
  const over = all.length - open.length
  return [
    `【Meridian】${all.length} 条告警消息 / ${all.length} alerts in one message`,
    `新告警 new: ${open.length} (critical ${critical}), 已恢复 over: ${over}`,
    ...linesThatFit(all.map(newsLine)),
  ]
}

const testText = [
  '【Meridian】测试消息 / test message',
  '告警会发到这里。 / Alerts will arrive here.',
] as const

/** A message for people, in both languages; kind and severity literally, as they stand in the console and the logs. */
export function toText(message: AlertMessage): string {
  const lines =
    message.kind === 'bundle'
      ? bundleText(message.all)
      : message.kind === 'test'
        ? testText
        : newsText(message.news)
  return [...lines, linkOf(message.consoleUrl)].join('\n')
}

const newsJson = (news: AlertNews) => ({
  id: news.id,
  kind: news.kind,
  severity: news.severity,
  state: news.overAt ? 'over' : 'open',
  subject: news.subject,
  times: news.times,
  opened_at: news.openedAt.toISOString(),
  over_at: news.overAt?.toISOString() ?? null,
})

/** A message for programs. `id` is the alert's, the same whenever it is told again. */
export function toJson(message: AlertMessage): Record<string, unknown> {
  const common = { source: 'meridian', url: linkOf(message.consoleUrl), text: toText(message) }
  if (message.kind === 'bundle') return { ...common, state: 'bundle', alerts: message.all.map(newsJson) }
  if (message.kind === 'test') return { ...common, state: 'test' }
  return { ...common, ...newsJson(message.news) }
}
