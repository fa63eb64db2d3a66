import { type AlertSeverity, type HealedBy, healingWords } from '@meridian/contracts'
import { masked } from '../../platform/log.ts'
import type { OtherNews } from './other-news.ts'

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
  /** By which fact it was over; null while it is open, or where a person resolved it. */
  healedBy: HealedBy | null
}

export type News = AlertNews | OtherNews

export const isOther = (news: News): news is OtherNews => 'news' in news
export const isAlert = (news: News): news is AlertNews => !isOther(news)

/** One message: of one alert or one other thing, of all that would be too many one by one, or a test. */
export type AlertMessage = { consoleUrl: string } & (
  | { kind: 'opened' | 'over'; news: AlertNews }
  | { kind: 'other'; news: OtherNews }
  | { kind: 'bundle'; all: readonly News[] }
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
/** A moment for people who read it in China. */
export const timeOf = (moment: Date) => `${chinaTime.format(moment)} (UTC+8)`

const alertsPath = '/alerts?view=alerts'

/** Where it leads: one other thing to its own page. */
function linkOf(message: AlertMessage): string {
  const all = message.kind === 'bundle' ? message.all : []
  const [first] = all
  const path =
    message.kind === 'other'
      ? message.news.path
      : first && isOther(first) && all.every(isOther)
        ? first.path
        : alertsPath
  return new URL(path, message.consoleUrl).href
}

function newsText({ id, kind, severity, subject, times, openedAt, overAt, healedBy }: AlertNews): string[] {
  return [
    overAt ? `【已恢复 over】${kind} (${severity})` : `【${severity}】${kind}`,
    `Meridian 告警 alert #${id}`,
    ...(subject ? [`对象 subject: ${subject}`] : []),
    `开始 since: ${timeOf(openedAt)}`,
    ...(overAt ? [`结束 until: ${timeOf(overAt)}`] : []),
    ...(healedBy ? [`自动恢复 healed: ${healingWords.zh[healedBy]} / ${healingWords.en[healedBy]}`] : []),
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

function bundleText(all: readonly News[]): string[] {
  const alerts = all.filter(isAlert)
  const others = all.filter(isOther)
  const open = alerts.filter(({ overAt }) => !overAt)
  const critical = open.filter(({ severity }) => severity === 'critical').length
  const over = alerts.length - open.length
  return [
    `【Meridian】${all.length} 条告警消息 / ${all.length} alerts in one message`,
    `新告警 new: ${open.length} (critical ${critical}), 已恢复 over: ${over}`,
    ...(others.length > 0 ? [`审批 approvals: ${others.length}`] : []),
    ...linesThatFit([...alerts.map(newsLine), ...others.map(({ line }) => line)]),
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
        : message.kind === 'other'
          ? message.news.text
          : newsText(message.news)
  return [...lines, linkOf(message)].join('\n')
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
  healed_by: news.healedBy,
})

/** A message for programs. `id` is the alert's, the same whenever it is told again. */
export function toJson(message: AlertMessage): Record<string, unknown> {
  const common = { source: 'meridian', url: linkOf(message), text: toText(message) }
  if (message.kind === 'bundle') {
    const others = message.all.filter(isOther)
    const alerts = message.all.filter(isAlert).map(newsJson)
    return {
      ...common,
      state: 'bundle',
      alerts,
      ...(others.length > 0 && { others: others.map(({ json }) => json) }),
    }
  }
  if (message.kind === 'other') return { ...common, ...message.news.json }
  if (message.kind === 'test') return { ...common, state: 'test' }
  return { ...common, ...newsJson(message.news) }
}
