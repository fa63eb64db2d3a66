import {
  type AlertChannel,
  type AlertSettings,
  channelKinds,
  makeChannel,
} from '../alerts/delivery/alert-channel.ts'
import { addressProblem, type Reach } from '../platform/network/reachable.ts'

const variables = [
  'ALERT_CHANNELS',
  'ALERT_WEBHOOK_URL',
  'ALERT_HEARTBEAT_URL',
  'ALERT_ALLOW_PRIVATE',
] as const
type Variable = (typeof variables)[number]
type Environment = Readonly<Record<string, string>>
type Problems = { add: (variable: Variable, problem: string) => void }

const reachOf = (allowPrivate: boolean): Reach => (allowPrivate ? 'inside' : 'public')

type Entry = { text: string; place: string; allowPrivate: boolean }

/** One entry of `ALERT_CHANNELS`, as kind:URL or kind:URL#secret. */
function readEntry({ text, place, allowPrivate }: Entry, problems: Problems): AlertChannel | null {
  const refuse = (problem: string) => {
    problems.add('ALERT_CHANNELS', `${place} ${problem}`)
    return null
  }
  const kind = channelKinds.find((known) => text.startsWith(`${known}:`))
  if (!kind) return refuse(`must begin with one of ${channelKinds.map((known) => `${known}:`).join(', ')}`)
  const [url = '', ...rest] = text.slice(kind.length + 1).split('#')
  const secret = rest.join('#')
  const problem = addressProblem(url, reachOf(allowPrivate))
  if (problem) return refuse(problem.en)
  const isSigned = kind === 'dingtalk' || kind === 'feishu'
  if (isSigned && !secret) return refuse('must end in # and the secret that its messages are signed with')
  if (!isSigned && secret) return refuse('takes no secret after #')
  return makeChannel(kind, url, secret || null)
}

function readChannels(environment: Environment, allowPrivate: boolean, problems: Problems): AlertChannel[] {
  const entries = (environment['ALERT_CHANNELS'] ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean)
  const channels = entries.flatMap((text, index) => {
    const channel = readEntry({ text, place: `entry ${index + 1}`, allowPrivate }, problems)
    return channel ? [channel] : []
  })
  const webhook = environment['ALERT_WEBHOOK_URL']
  if (webhook) {
    const problem = addressProblem(webhook, reachOf(allowPrivate))
    if (problem) problems.add('ALERT_WEBHOOK_URL', problem.en)
    else channels.push(makeChannel('webhook', webhook))
  }
  if (new Set(channels.map(({ id }) => id)).size < channels.length)
    problems.add('ALERT_CHANNELS', 'must name each channel once')
  return channels
}

/** The settings of alerts outside the console; problems name the variable and the entry, never a value. */
export function readAlertConfig(environment: Environment): { alerts: AlertSettings; problems: string[] } {
  const found: string[] = []
  const problems: Problems = { add: (variable, problem) => void found.push(`${variable}: ${problem}`) }
  const permission = environment['ALERT_ALLOW_PRIVATE'] ?? 'false'
  if (!['true', 'false'].includes(permission)) problems.add('ALERT_ALLOW_PRIVATE', 'must be true or false')
  const allowPrivate = permission === 'true'
  const heartbeatUrl = environment['ALERT_HEARTBEAT_URL'] ?? null
  const problem = heartbeatUrl ? addressProblem(heartbeatUrl, reachOf(allowPrivate)) : null
  if (problem) problems.add('ALERT_HEARTBEAT_URL', problem.en)
  const channels = readChannels(environment, allowPrivate, problems)
  return { alerts: { channels, allowPrivate, heartbeatUrl }, problems: found }
}
