import { beforeEach, expect, test } from 'vitest'
import { remindExpiring } from '../../src/subscriptions/remind-expiring.ts'
import { addSubscriber, setTemplates } from '../world/add-subscriber.ts'
import { problemOf, signedInConsole } from '../world/console.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({
  runtime: {
    fetch: async (input, init) => {
      if (!String(input).includes('/subscribe/send')) return fetch(input, init)
      const errcode = errcodes.shift()
      if (errcode !== undefined) return Response.json({ errcode, errmsg: '' })
      const answer = await fetch(input, init)
      if (losesAnswer) throw new TypeError('the answer was lost')
      return answer
    },
  },
})
/** Answers that stand in for the platform's, one per message. */
let errcodes: number[]
let losesAnswer: boolean

beforeEach(async () => {
  errcodes = []
  losesAnswer = false
  await setTemplates(world, { expiry_reminder: 'template-1' })
  // Nobody of an earlier test is due any more.
  await world.query('UPDATE message_permissions SET remaining = 0')
  await world.query('DELETE FROM alerts')
})

const bought = (remaining: number) => addSubscriber(world, remaining)
/** Somebody whose thirty days end in so many. */
async function subscriber(days: number, remaining: number) {
  const person = await bought(remaining)
  await world.passTime({ days: 30 - days })
  return person
}
const remind = () => remindExpiring(world.services)
const messagesTo = (openid: string) => world.platform.messages.filter((message) => message.openid === openid)
const remainingOf = async (userId: string) =>
  (
    await world.query<{ remaining: number }>('SELECT remaining FROM message_permissions WHERE user_id = $1', [
      userId,
    ])
  )[0]?.remaining
const remindersOf = (userId: string) =>
  world.query<{ days_before: number; sent: boolean; failure: string | null }>(
    'SELECT days_before, sent_at IS NOT NULL AS sent, failure FROM reminders WHERE user_id = $1 ORDER BY claimed_at',
    [userId],
  )

test('each day of the setting reminds once and spends one permission', async () => {
  const { userId, openid } = await subscriber(6.5, 5)
  await remind()
  await remind()
  expect(messagesTo(openid)).toMatchObject([
    {
      templateId: 'template-1',
      data: { thing1: { value: '月度会员' }, thing3: { value: '还有 7 天到期，续费后天数顺延' } },
    },
  ])
  expect(await remainingOf(userId)).toBe(4)
  await world.passTime({ days: 6 })
  await remind()
  await remind()
  expect((await remindersOf(userId)).map(({ days_before }) => days_before)).toEqual([7, 1])
  expect(messagesTo(openid)).toHaveLength(2)
  expect(await remainingOf(userId)).toBe(3)
})

test('somebody near the end gets the nearest reminder alone', async () => {
  const { userId, openid } = await subscriber(0.5, 5)
  await remind()
  expect(await remindersOf(userId)).toEqual([{ days_before: 1, sent: true, failure: null }])
  expect(messagesTo(openid)).toHaveLength(1)
})

test('who bought again is reminded again before the new end', async () => {
  const { phone, openid } = await subscriber(3, 5)
  await remind()
  await phone.pays(await phone.buys())
  await remind()
  expect(messagesTo(openid)).toHaveLength(1)
  await world.passTime({ days: 31 })
  await remind()
  expect(messagesTo(openid)).toHaveLength(2)
})

test('without permission, without a template, disabled, too early or over: nobody is told', async () => {
  const over = await bought(1)
  await world.passTime({ days: 4 })
  const [silent, banned] = [await bought(0), await bought(1)]
  await world.passTime({ days: 17 })
  const early = await bought(1)
  await world.passTime({ days: 10 })
  await world.query('UPDATE users SET disabled_at = now() WHERE id = $1', [banned.userId])
  await remind()
  await setTemplates(world, {})
  const plain = await subscriber(3, 1)
  expect(await remind()).toEqual({ sent: 0, notSent: 0 })
  for (const { userId, openid } of [silent, early, over, banned, plain]) {
    expect(messagesTo(openid)).toEqual([])
    expect(await remindersOf(userId)).toEqual([])
  }
})

test('43101 empties the count, and nothing is sent again', async () => {
  const { userId, openid } = await subscriber(3, 5)
  errcodes = [43101]
  expect(await remind()).toEqual({ sent: 0, notSent: 1 })
  expect(await remainingOf(userId)).toBe(0)
  expect(await remindersOf(userId)).toEqual([{ days_before: 7, sent: false, failure: '43101' }])
  await remind()
  expect(messagesTo(openid)).toEqual([])
})

test('a lost answer is not asked for again: it may have been sent', async () => {
  const { userId, openid } = await subscriber(3, 5)
  losesAnswer = true
  await remind()
  losesAnswer = false
  await remind()
  expect(messagesTo(openid)).toHaveLength(1)
  expect(await remindersOf(userId)).toEqual([{ days_before: 7, sent: false, failure: 'unreachable' }])
})

test('a busy platform is asked again at the next run, and the permission is not lost', async () => {
  const { userId, openid } = await subscriber(3, 1)
  errcodes = [-1]
  expect(await remind()).toEqual({ sent: 0, notSent: 0 })
  expect(await remainingOf(userId)).toBe(1)
  expect(await remind()).toEqual({ sent: 1, notSent: 0 })
  expect(messagesTo(openid)).toHaveLength(1)
  expect(await remainingOf(userId)).toBe(0)
})

test('a template the platform does not know is one alert, and nobody loses a permission', async () => {
  const { userId } = await subscriber(3, 1)
  errcodes = [40037]
  await remind()
  expect(await remainingOf(userId)).toBe(1)
  expect(await world.query('SELECT kind, subject FROM alerts')).toEqual([
    { kind: 'reminder_misconfigured', subject: '40037' },
  ])
})

test('four workers at once remind many people once each', async () => {
  const people: Awaited<ReturnType<typeof subscriber>>[] = []
  while (people.length < 8) people.push(await bought(2))
  await world.passTime({ days: 27 })
  const before = world.platform.messages.length
  await Promise.all([1, 2, 3, 4].map(remind))
  expect(world.platform.messages.length - before).toBe(people.length)
  for (const { openid } of people) expect(messagesTo(openid)).toHaveLength(1)
})

test('without login credentials nothing is claimed', async () => {
  const { userId } = await subscriber(3, 1)
  await remindExpiring({ ...world.services, miniProgram: null })
  expect(await remindersOf(userId)).toEqual([])
})

const described = {
  expiry_reminder: {
    id: 'template-2',
    fields: {
      thing4: 'plan',
      time2: 'expires_at',
      date5: 'expires_at',
      number6: 'remaining_days',
      phrase7: 'plan',
      thing8: 'notice',
    },
    page: 'pages/plans/plans?from=reminder',
  },
}

test('a template says which of its fields hold what, each in the form and length of its type, and which page opens', async () => {
  await setTemplates(world, described)
  await world.query(`UPDATE plans SET name = $1 WHERE code = 'monthly'`, [
    '一二三四五六七八九十一二三四五六七八九十一二三',
  ])
  const { openid } = await subscriber(3, 1)
  await world.query(`UPDATE plans SET name = '月度会员' WHERE code = 'monthly'`)
  await remind()
  expect(messagesTo(openid)).toEqual([
    {
      openid,
      templateId: 'template-2',
      page: 'pages/plans/plans?from=reminder',
      at: expect.any(Date),
      data: {
        thing4: { value: '一二三四五六七八九十一二三四五六七八九十' },
        time2: { value: expect.stringMatching(/^\d{4}年\d{1,2}月\d{1,2}日 ?\d{2}:\d{2}$/) },
        date5: { value: expect.stringMatching(/^\d{4}年\d{1,2}月\d{1,2}日$/) },
        number6: { value: '3' },
        phrase7: { value: '一二三四五' },
        thing8: { value: '还有 3 天到期，续费后天数顺延' },
      },
    },
  ])
})

test('fields that do not fit stop the run, raise one alert, and nobody loses a permission', async () => {
  await setTemplates(world, described)
  const { userId } = await subscriber(3, 1)
  errcodes = [47003]
  expect(await remind()).toEqual({ sent: 0, notSent: 0 })
  expect(await remainingOf(userId)).toBe(1)
  expect(await remindersOf(userId)).toEqual([])
  expect(await world.query('SELECT kind, subject FROM alerts')).toEqual([
    { kind: 'reminder_misconfigured', subject: '47003' },
  ])
  const owner = await signedInConsole(world, { email: 'desk@example.com', role: 'operator' })
  const { items } = await owner.console.message.ofUser.query({ userId })
  expect(items).toMatchObject([{ kind: 'reminder', failure: '47003' }])
})

test('the setting takes the described form, reads the older one, and refuses what no field holds', async () => {
  const { console: desk } = await signedInConsole(world, { email: 'settings@example.com' })
  const save = async (value: object) => {
    const { items } = await desk.setting.list.query()
    const version = items.find(({ key }) => key === 'message_templates')?.version ?? 0
    return desk.setting.change.mutate({
      key: 'message_templates',
      version,
      value: JSON.parse(JSON.stringify(value)),
    })
  }
  const savedAs = async (value: object) =>
    (await save(value)).items.find(({ key }) => key === 'message_templates')?.value
  expect(await savedAs(described)).toEqual(described)
  expect(await savedAs({ expiry_reminder: 'template-1' })).toEqual({
    expiry_reminder: { id: 'template-1', fields: { thing1: 'plan', time2: 'expires_at', thing3: 'notice' } },
  })
  for (const fields of [{ number1: 'plan' }, { time2: 'notice' }, { thing1: 'openid' }, {}])
    expect(await problemOf(save({ expiry_reminder: { id: 'x', fields } }))).toBe('invalid_request')
  const page = '/leading/slash'
  expect(await problemOf(save({ expiry_reminder: { ...described.expiry_reminder, page } }))).toBe(
    'invalid_request',
  )
})

test('an owner sends a test to somebody who allowed one; what was not sent costs nothing', async () => {
  await setTemplates(world, described)
  const { userId, openid } = await subscriber(3, 1)
  const { console: desk } = await signedInConsole(world, { email: 'tester@example.com' })
  const send = () => desk.message.test.mutate({ userId })
  errcodes = [47003]
  expect(await send()).toEqual({ outcome: 'failed', failure: '47003' })
  expect(await remainingOf(userId)).toBe(1)
  expect(await send()).toEqual({ outcome: 'sent', failure: null })
  expect(messagesTo(openid)).toMatchObject([
    { templateId: 'template-2', page: described.expiry_reminder.page },
  ])
  expect(await send()).toEqual({ outcome: 'no_permission', failure: null })
  const { items } = await desk.message.ofUser.query({ userId })
  expect(items).toMatchObject([
    { kind: 'test', failure: null },
    { kind: 'test', failure: '47003' },
  ])
  const { console: operator } = await signedInConsole(world, {
    email: 'notowner@example.com',
    role: 'operator',
  })
  expect(await problemOf(operator.message.test.mutate({ userId }))).toBe('forbidden')
})
