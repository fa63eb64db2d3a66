import { execute, query } from '@meridian/db'
import { afterAll, describe, expect, test } from 'vitest'
import { keepAlertsSent } from '../../src/alerts/delivery/keep-alerts-sent.ts'
import { raiseAlertSql } from '../../src/alerts/write-alert.ts'
import { problemOf } from '../world/console.ts'
import { startRobot } from '../world/robots.ts'
import { useConsole, useOpened, useTestWorld } from '../world/use-opened.ts'

const wecom = useOpened(() => startRobot('wecom'))
const feishu = useOpened(() => startRobot('feishu'))
const world = useTestWorld(() => ({
  environment: {
    ALERT_CHANNELS: `${wecom.setting},${feishu.setting}`,
    ALERT_ALLOW_PRIVATE: 'true',
    MERIDIAN_ROLE: 'api',
  },
}))
const owner = useConsole(world, 'owner')
const finance = useConsole(world, 'finance')
const telling = useOpened(() => keepAlertsSent(world.services, { everyMs: 50, pauseSeconds: 60 }))
afterAll(() => telling.stop())

const channelOf = async (kind: string) => {
  const { channels } = await owner.alertChannel.overview.query()
  const channel = channels.find((one) => one.kind === kind)
  if (!channel) throw new Error(`no ${kind}`)
  return channel
}

describe('the page of alert channels', () => {
  test('shows every channel by kind and host, who sends, and never a secret', async () => {
    await expect.poll(() => world.query('SELECT FROM alert_channels')).toHaveLength(2)
    const overview = await owner.alertChannel.overview.query()
    expect(overview.sender).toMatchObject({ role: 'api' })
    expect(overview.channels.map(({ kind, host, state }) => ({ kind, host, state }))).toEqual([
      { kind: 'wecom', host: new URL(wecom.url).host, state: 'unproven' },
      { kind: 'feishu', host: new URL(feishu.url).host, state: 'unproven' },
    ])
    const shown = JSON.stringify(overview)
    for (const secret of [...wecom.secrets, ...feishu.secrets]) expect(shown).not.toContain(secret)
    expect(await problemOf(finance.alertChannel.overview.query())).toBe('forbidden')
    expect(await problemOf(finance.alertChannel.messages.query({}))).toBe('forbidden')
  })

  test('a test is sent by whoever holds the lease, on the record, one at a time', async () => {
    const { id } = await channelOf('wecom')
    wecom.feel('hangs')
    await owner.alertChannel.test.mutate({ id })
    await expect.poll(wecom.asked).toBe(1)
    expect(await problemOf(owner.alertChannel.test.mutate({ id }))).toBe('changed_meanwhile')
    wecom.feel('well')
    await expect.poll(async () => (await channelOf('wecom')).testWaits).toBe(false)
    await owner.alertChannel.test.mutate({ id })
    await expect.poll(() => wecom.taken).toHaveLength(1)
    expect(wecom.taken[0]).toContain('测试消息')
    expect(feishu.taken).toHaveLength(0)
    await expect.poll(async () => (await channelOf('wecom')).state).toBe('well')
    const acts = await world.query(
      "SELECT action, after->>'kind' AS kind FROM audit_entries WHERE subject_id = $1",
      [id],
    )
    expect(acts).toEqual([
      { action: 'alert_channel.test', kind: 'wecom' },
      { action: 'alert_channel.test', kind: 'wecom' },
    ])
    expect(await problemOf(finance.alertChannel.test.mutate({ id }))).toBe('forbidden')
    expect(await problemOf(owner.alertChannel.test.mutate({ id: '0123456789abcdef' }))).toBe('not_found')
  })

  test('a channel that fails says why, since when, what waits and when it is tried again', async () => {
    feishu.feel('refuses in its body')
    await execute(
      world.services.database.pool,
      query(null, raiseAlertSql('refund_stuck', 'R00000000000000000000000051', {})),
    )
    await expect.poll(async () => (await channelOf('feishu')).state).toBe('failing')
    const failing = await channelOf('feishu')
    expect(failing).toMatchObject({ lastError: 'answered 9499 Bad Request', waiting: 1, lastSuccessAt: null })
    expect(Number(failing.nextAttemptAt) - Number(failing.lastFailureAt)).toBe(60_000)
    await expect.poll(async () => (await channelOf('wecom')).waiting).toBe(0)
  })

  test('a test that the robot takes ends the pause of its channel', async () => {
    feishu.feel('well')
    const { id } = await channelOf('feishu')
    await owner.alertChannel.test.mutate({ id })
    await expect.poll(() => feishu.taken).toHaveLength(2)
    expect(feishu.taken[1]).toContain('refund_stuck')
    await expect.poll(async () => (await channelOf('feishu')).state).toBe('well')
  })

  test('what was sent is a list that is read on in both directions', async () => {
    const all = await owner.alertChannel.messages.query({})
    expect(all.items.map(({ channelKind, kind, state }) => `${channelKind} ${kind} ${state}`)).toEqual([
      'feishu opened sent',
      'feishu test sent',
      'wecom opened sent',
      'wecom test sent',
      'wecom test failed',
    ])
    expect(all.items[0]).toMatchObject({ alertKind: 'refund_stuck', alerts: 1 })
    expect(all.items[4]?.error).toBe('no answer within 7 seconds')
    const first = await owner.alertChannel.messages.query({ limit: 2 })
    const next = await owner.alertChannel.messages.query({ limit: 2, cursor: first.nextCursor ?? '' })
    expect([...first.items, ...next.items]).toEqual(all.items.slice(0, 4))
    const back = await owner.alertChannel.messages.query({ limit: 2, cursor: next.previousCursor ?? '' })
    expect(back.items).toEqual(first.items)
  })
})
