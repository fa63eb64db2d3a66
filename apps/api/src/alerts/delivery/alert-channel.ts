import { createHash } from 'node:crypto'

export const channelKinds = ['wecom', 'dingtalk', 'feishu', 'webhook'] as const
export type ChannelKind = (typeof channelKinds)[number]

/** Where alerts are told. The address is a secret of its own: whoever knows it may write to the group. */
export type AlertChannel = {
  /** The same after every start, and nothing by which the address could be found. */
  id: string
  kind: ChannelKind
  host: string
  url: string
  /** What the robot's messages are signed with, where its kind is signed. */
  secret: string | null
}

/** What the environment says about alerts outside the console. */
export type AlertSettings = {
  channels: readonly AlertChannel[]
  /** Addresses inside are permitted, and http to them. */
  allowPrivate: boolean
  heartbeatUrl: string | null
}

export const makeChannel = (kind: ChannelKind, url: string, secret: string | null = null): AlertChannel => ({
  id: createHash('sha256').update(`${kind}:${url}`).digest('hex').slice(0, 16),
  kind,
  host: new URL(url).host,
  url,
  secret,
})

const shortestSecret = 6

/** A reason for people's eyes: without the channel's secret and without any part of its address beyond the host. */
export function withoutSecrets(text: string, { url, secret }: Pick<AlertChannel, 'url' | 'secret'>): string {
  const { pathname, searchParams } = new URL(url)
  const hidden = [url, secret ?? '', ...searchParams.values(), ...pathname.split('/')]
    .flatMap((part) => [part, encodeURIComponent(part)])
    .filter((part) => part.length >= shortestSecret)
    .sort((one, other) => other.length - one.length)
  return hidden.reduce((shown, part) => shown.replaceAll(part, '•••'), text)
}
