import { promises as dns, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { severityOfAlert } from '@meridian/contracts'
import { describe, expect, test } from 'vitest'
import { withoutSecrets } from '../../src/alerts/delivery/alert-channel.ts'
import { decideMessages } from '../../src/alerts/delivery/unsent-alerts.ts'
import { maskedSubject, toText } from '../../src/alerts/delivery/write-message.ts'
import { ConfigError, readConfig } from '../../src/config.ts'
import { insideLookup, postWith, publicLookup } from '../../src/platform/network/post-message.ts'
import { isPublicAddress } from '../../src/platform/network/reachable.ts'
import { startRobot } from '../world/robots.ts'
import { environmentFor } from '../world/test-world.ts'

const read = (environment: Record<string, string>) =>
  readConfig({ ...environmentFor('postgresql://x@localhost/x', 1), ...environment })
const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    read(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('the settings', () => {
  test('name channels in their order, the webhook of its own setting last', () => {
    const { alerts } = read({
      ALERT_CHANNELS:
        'wecom:https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=k, dingtalk:https://oapi.dingtalk.com/robot/send?access_token=t#SECx,feishu:https://open.feishu.cn/open-apis/bot/v2/hook/h#s,webhook:https://example.com/a',
      ALERT_WEBHOOK_URL: 'https://example.com/b',
      ALERT_HEARTBEAT_URL: 'https://example.com/alive',
    })
    expect(alerts).toMatchObject({ allowPrivate: false, heartbeatUrl: 'https://example.com/alive' })
    expect(alerts.channels.map(({ kind, host, secret }) => [kind, host, secret])).toEqual([
      ['wecom', 'qyapi.weixin.qq.com', null],
      ['dingtalk', 'oapi.dingtalk.com', 'SECx'],
      ['feishu', 'open.feishu.cn', 's'],
      ['webhook', 'example.com', null],
      ['webhook', 'example.com', null],
    ])
    expect(new Set(alerts.channels.map(({ id }) => id)).size).toBe(5)
  })

  test('are refused with one line per problem, which names the entry and never its value', () => {
    const problems = problemsOf({
      ALERT_CHANNELS:
        'wecom:http://very-secret.example.com,dingtalk:https://very-secret.example.com,slack:https://very-secret.example.com,wecom:https://very-secret.example.com#x,very-secret',
      ALERT_HEARTBEAT_URL: 'ftp://very-secret',
      ALERT_ALLOW_PRIVATE: 'very-secret',
    })
    expect(problems).toEqual([
      'ALERT_ALLOW_PRIVATE: must be true or false',
      'ALERT_HEARTBEAT_URL: must be an https address',
      'ALERT_CHANNELS: entry 1 must be an https address',
      'ALERT_CHANNELS: entry 2 must end in # and the secret that its messages are signed with',
      'ALERT_CHANNELS: entry 3 must begin with one of wecom:, dingtalk:, feishu:, webhook:',
      'ALERT_CHANNELS: entry 4 takes no secret after #',
      'ALERT_CHANNELS: entry 5 must begin with one of wecom:, dingtalk:, feishu:, webhook:',
    ])
    const twice = 'webhook:https://example.com/a'
    expect(problemsOf({ ALERT_CHANNELS: `${twice},${twice}` })).toEqual([
      'ALERT_CHANNELS: must name each channel once',
    ])
  })

  const urls = [
    'http://alerts.example.com',
    'https://127.0.0.1/hook',
    'https://[::1]/hook',
    'https://10.1.2.3',
    'https://169.254.169.254/latest',
    'https://localhost/hook',
    'https://printer.local',
    'https://me:word@example.com',
    'not an address',
  ]
  const places = ['ALERT_WEBHOOK_URL', 'ALERT_HEARTBEAT_URL', 'ALERT_CHANNELS']
  test.each(places.flatMap((variable) => urls.map((url) => [variable, url] as const)))(
    '%s refuses %s and does not repeat it',
    (variable, url) => {
      const problems = problemsOf({ [variable]: variable === 'ALERT_CHANNELS' ? `webhook:${url}` : url })
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatch(
        new RegExp(
          `^${variable}: (entry 1 )?must (be an? (https|public) address|not carry a user or a password)$`,
        ),
      )
    },
  )

  test.each(['http://10.1.2.3/hook', 'https://127.0.0.1/hook', 'http://printer.local', 'http://alarms/hook'])(
    '%s is permitted together with ALERT_ALLOW_PRIVATE',
    (url) => expect(problemsOf({ ALERT_WEBHOOK_URL: url, ALERT_ALLOW_PRIVATE: 'true' })).toEqual([]),
  )

  test('http to an address of the internet is never permitted', () => {
    expect(problemsOf({ ALERT_WEBHOOK_URL: 'http://1.1.1.1/hook', ALERT_ALLOW_PRIVATE: 'true' })).toEqual([
      'ALERT_WEBHOOK_URL: must be an https address',
    ])
  })
})

describe('where a connection may lead', () => {
  test.each([
    '10.0.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'nonsense',
  ])('%s is no public address', (ip) => expect(isPublicAddress(ip)).toBe(false))

  test.each(['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111'])('%s is one', (ip) =>
    expect(isPublicAddress(ip)).toBe(true),
  )

  const found = (lookup: LookupFunction, name: string) =>
    new Promise<string | LookupAddress[] | Error>((resolve) =>
      lookup(name, { all: false }, (error, address) => resolve(error ?? address)),
    )

  test('a name that leads home is refused where the connection is made', async () => {
    const message = { url: 'https://localhost:1/', method: 'POST', body: '{}' } as const
    await expect(postWith('public')(message)).rejects.toMatchObject({ name: 'NotPublicError' })
    const { address: own } = await dns.lookup('localhost')
    expect(isPublicAddress(own)).toBe(false)
    expect(await found(publicLookup, '1.1.1.1')).toBe('1.1.1.1')
    expect(await found(publicLookup, 'localhost')).toMatchObject({ name: 'NotPublicError' })
  })

  test('an address by number is refused too, which no look-up of a name would see', async () => {
    await using robot = await startRobot('webhook')
    const message = { url: robot.url.replace('http:', 'https:'), method: 'POST', body: '{}' } as const
    await expect(postWith('public')(message)).rejects.toMatchObject({ name: 'NotPublicError' })
    await expect(postWith('public')({ ...message, url: robot.url })).rejects.toMatchObject({
      name: 'NotPublicError',
    })
    expect(robot.asked()).toBe(0)
    expect(await postWith('inside')({ ...message, url: robot.url })).toMatchObject({ status: 204 })
  })

  test('without encryption none leads to the internet, permitted inside or not', async () => {
    expect(await found(insideLookup, '1.1.1.1')).toMatchObject({ name: 'NotPublicError' })
    expect(await found(insideLookup, '127.0.0.1')).toBe('127.0.0.1')
    const message = { url: 'http://1.1.1.1/', method: 'GET' } as const
    await expect(postWith('inside')(message)).rejects.toMatchObject({ name: 'NotPublicError' })
  })
})

describe('what is said', () => {
  test('numbers of orders, refunds and people are masked, days and words are not', () => {
    expect(maskedSubject('2026-11-20 trade')).toBe('2026-11-20 trade')
    expect(maskedSubject('ledger_differs 0199aaaa-0000-7000-8000-000000000001')).toBe(
      'ledger_differs 0199••••0001',
    )
  })

  test('a reason never carries any part of an address beyond its host, nor the secret', () => {
    const channel = {
      url: 'https://oapi.dingtalk.com/robot/send?access_token=abc%2Fdef012',
      secret: 'SEC0123456',
    }
    const reason =
      'connect oapi.dingtalk.com https://oapi.dingtalk.com/robot/send?access_token=abc%2Fdef012 SEC0123456 abc/def012'
    expect(withoutSecrets(reason, channel)).toBe('connect oapi.dingtalk.com ••• ••• •••')
  })

  const openedAt = new Date('2026-11-22T03:30:05Z')
  const news = (id: string, overAt: Date | null = null) => ({
    id,
    kind: 'payment_mismatch',
    severity: severityOfAlert('payment_mismatch', null),
    subject: 'M000••••0001',
    times: 3,
    openedAt,
    overAt,
    healedBy: null,
  })
  const consoleUrl = 'https://console.example.com'

  test('a message says kind, severity, subject, since when, how often, and where to look', () => {
    expect(toText({ kind: 'opened', news: news('12'), consoleUrl }).split('\n')).toEqual([
      '【critical】payment_mismatch',
      'Meridian 告警 alert #12',
      '对象 subject: M000••••0001',
      '开始 since: 2026-11-22 11:30:05 (UTC+8)',
      '次数 times: 3',
      'https://console.example.com/alerts?view=alerts',
    ])
  })

  test('a bundle of any size fits into 2,048 bytes and counts what it leaves out', () => {
    const all = Array.from({ length: 500 }, (_, index) => news(String(index), index % 2 ? openedAt : null))
    const text = toText({ kind: 'bundle', all, consoleUrl })
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048)
    expect(text).toMatch(/500 alerts[\s\S]*new: 250[\s\S]*over: 250[\s\S]*\d{3} more\nhttps:/)
  })

  test.each([
    [0, 15, []],
    [3, 15, [1, 1, 1]],
    [15, 15, Array(15).fill(1)],
    [40, 15, [...Array(14).fill(1), 26]],
    [5, 1, [5]],
    [5, 0, []],
    [5, -1, []],
  ])('%s alerts with room for %s messages are sent as %j', (count, allowance, sizes) => {
    const waiting = Array.from({ length: count }, (_, index) => news(String(index)))
    expect(decideMessages(waiting, allowance).map(({ length }) => length)).toEqual(sizes)
  })
})
