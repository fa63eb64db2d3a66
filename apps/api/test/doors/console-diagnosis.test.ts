import { randomUUID } from 'node:crypto'
import type { DiagnosisDraftContent } from '@meridian/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Console,
  failureOf,
  openConsole,
  problemOf,
  signedInConsole,
  signInAs,
} from '../world/console.ts'
import { relaxContent, relaxProgram } from '../world/diagnosis-program.ts'
import { userIdOf } from '../world/somebody.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const operator = useConsole(world, 'operator')
const finance = useConsole(world, 'finance')
const viewer = useConsole(world, 'viewer')
let colleague: Console

beforeAll(async () => {
  const other = { email: 'colleague@example.com', role: 'operator' } as const
  colleague = (await signedInConsole(world, other)).console
})

const audited = (action: string) =>
  world.query<{ subject_id: string; before: unknown; after: unknown }>(
    'SELECT subject_id, before, after FROM audit_entries WHERE action = $1 ORDER BY id DESC',
    [action],
  )

const program = relaxProgram
const content: DiagnosisDraftContent = relaxContent

async function draft() {
  const { draft: open } = await operator.diagnosis.desk.query()
  if (!open) throw new Error('there is no draft')
  return { version: open.version, revision: open.revision }
}

/** Asks for the publication of the draft, which a colleague approves. */
async function publish() {
  const { waiting } = await operator.diagnosis.publish.mutate(await draft())
  return colleague.diagnosis.decide.mutate({ id: waiting?.id ?? '', approve: true })
}
const alerted = () =>
  world.query<{ subject: string }>(
    `SELECT subject, detail FROM alerts WHERE kind = 'program_published' ORDER BY id`,
  )

describe('the diagnosis configuration', () => {
  test('is drafted from what is published, saved, published, and read by phones from then on', async () => {
    const phone = await world.phone()
    const started = await operator.diagnosis.startDraft.mutate({ version: 1 })
    expect(started.draft).toMatchObject({
      version: 2,
      basedOn: 1,
      revision: 1,
      createdBy: 'operator@example.com',
    })
    const saved = await operator.diagnosis.saveDraft.mutate({ ...(await draft()), content, note: '第一版' })
    expect(saved.draft).toMatchObject({ revision: 2, content, note: '第一版' })
    expect((await phone.call('/diagnosis-config')).body).toMatchObject({ version: 1, programs: [] })
    const { waiting, published } = await operator.diagnosis.publish.mutate(await draft())
    expect(published.version).toBe(1)
    const verdict = { id: waiting?.id ?? '', approve: true }
    expect(await problemOf(operator.diagnosis.decide.mutate(verdict))).toBe('second_person_required')
    expect(await problemOf(viewer.diagnosis.decide.mutate(verdict))).toBe('forbidden')
    expect((await phone.call('/diagnosis-config')).body).toMatchObject({ version: 1, programs: [] })
    const desk = await colleague.diagnosis.decide.mutate(verdict)
    expect(await alerted()).toEqual([{ subject: 'v2', detail: { programs: ['relax: added'] } }])
    expect(desk).toMatchObject({
      published: { version: 2, content, publishedBy: 'operator@example.com' },
      draft: null,
    })
    expect((await phone.call('/diagnosis-config')).body).toMatchObject({
      version: 2,
      programs: [{ ...program, locked: false }],
    })
    expect((await audited('diagnosis.save_draft'))[0]).toMatchObject({
      subject_id: '2',
      before: { revision: 1 },
      after: {
        revision: 2,
        changes: [{ what: 'body_part', code: 'neck', kind: 'added' }, { code: 'relax' }],
      },
    })
    expect(await audited('diagnosis.publish')).toHaveLength(1)
  })

  test('is not published while anything in it is wrong', async () => {
    await operator.diagnosis.startDraft.mutate({ version: 2 })
    const broken = {
      ...content,
      programs: [{ ...program, intensity_default: 50, body_part: 'tail', frequency_hz: null }],
    }
    await operator.diagnosis.saveDraft.mutate({ ...(await draft()), content: broken, note: null })
    expect(await problemOf(operator.diagnosis.publish.mutate(await draft()))).toBe('invalid_request')
    expect((await operator.diagnosis.desk.query()).published.version).toBe(2)
  })

  test('a save on top of somebody else’s is refused, and so is a second draft', async () => {
    const seen = await draft()
    await operator.diagnosis.saveDraft.mutate({ ...seen, content, note: 'mine' })
    for (const attempt of [
      () => operator.diagnosis.saveDraft.mutate({ ...seen, content, note: 'theirs' }),
      () => operator.diagnosis.publish.mutate(seen),
      () => operator.diagnosis.discardDraft.mutate(seen),
      () => operator.diagnosis.startDraft.mutate({ version: 2 }),
    ])
      expect(await problemOf(attempt())).toBe('changed_meanwhile')
    expect((await operator.diagnosis.desk.query()).draft?.note).toBe('mine')
  })

  test('of ten saves of the same revision one wins', async () => {
    const seen = await draft()
    const saves = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) =>
        operator.diagnosis.saveDraft.mutate({ ...seen, content, note: `save ${n}` }),
      ),
    )
    expect(saves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await draft()).revision).toBe(seen.revision + 1)
  })

  test('a draft may be thrown away, and going back makes a new version out of an old one', async () => {
    await operator.diagnosis.discardDraft.mutate(await draft())
    await operator.diagnosis.startDraft.mutate({ version: 1 })
    const desk = await publish()
    expect(desk.published).toMatchObject({
      version: 3,
      basedOn: 1,
      content: { body_parts: [], programs: [] },
    })
    expect(desk.history.map(({ version }) => version)).toEqual([3, 2, 1])
    expect(await viewer.diagnosis.published.query({ version: 2 })).toEqual(content)
    expect(await problemOf(viewer.diagnosis.published.query({ version: 9 }))).toBe('not_found')
  })

  test('of five who start a draft at once one does', async () => {
    const starts = await Promise.allSettled(
      Array.from({ length: 5 }, () => operator.diagnosis.startDraft.mutate({ version: 3 })),
    )
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await operator.diagnosis.discardDraft.mutate(await draft())
  })

  test('a publication that waits is approved as it was asked for, not as it was saved since', async () => {
    await operator.diagnosis.startDraft.mutate({ version: 2 })
    const asked = await operator.diagnosis.publish.mutate(await draft())
    await operator.diagnosis.saveDraft.mutate({ ...(await draft()), content, note: 'other' })
    const verdict = { id: asked.waiting?.id ?? '', approve: true }
    expect(await problemOf(colleague.diagnosis.decide.mutate(verdict))).toBe('changed_meanwhile')
    expect(await problemOf(operator.diagnosis.discardDraft.mutate(await draft()))).toBe('already_waiting')
    const { waiting } = await operator.diagnosis.decide.mutate({ ...verdict, approve: false })
    expect(waiting).toBeNull()
    await publish()
  })

  test('what is published is withdrawn by one person at once, and withdrawing twice brings nothing back', async () => {
    const phone = await world.phone()
    const first = await operator.diagnosis.withdraw.mutate({ version: 4 })
    expect(first.published).toMatchObject({ version: 5, basedOn: 3, content: { programs: [] } })
    expect((await phone.call('/diagnosis-config')).body).toMatchObject({ version: 5, programs: [] })
    expect(await problemOf(operator.diagnosis.withdraw.mutate({ version: 4 }))).toBe('changed_meanwhile')
    const second = await operator.diagnosis.withdraw.mutate({ version: 5 })
    expect(second.published).toMatchObject({ version: 6, basedOn: 2 })
    const third = await operator.diagnosis.withdraw.mutate({ version: 6 })
    expect(third.published).toMatchObject({ version: 7, basedOn: 1 })
    expect(await problemOf(operator.diagnosis.withdraw.mutate({ version: 7 }))).toBe('not_found')
    expect((await audited('diagnosis.withdraw')).length).toBe(3)
  })

  test('a program of 1000 Hz for the chest reaches nobody, and the answer names it', async () => {
    await operator.diagnosis.startDraft.mutate({ version: 7 })
    const wild = {
      body_parts: [{ code: 'chest', name: '胸部' }],
      programs: [
        { ...program, body_part: 'chest', frequency_hz: 1000, pulse_width_us: 1000, waveform: 'monophasic' },
      ],
    }
    await operator.diagnosis.saveDraft.mutate({ ...(await draft()), content: wild, note: null })
    expect(await failureOf(operator.diagnosis.publish.mutate(await draft()))).toMatchObject({
      problem: {
        code: 'invalid_request',
        errors: [
          {
            path: 'body_parts.0.code',
            message: expect.stringContaining('部位“胸部” · 代码：胸部、颈前、头部和眼睛不允许'),
          },
          { path: 'programs.0.frequency_hz', message: '程序“舒缓” · 频率（赫兹）：必须在 1 到 150 之间' },
          { path: 'programs.0.pulse_width_us', message: '程序“舒缓” · 脉宽（微秒）：必须在 50 到 400 之间' },
          { path: 'programs.0.pulse_width_us', message: expect.stringContaining('30000') },
          { path: 'programs.0.frequency_hz', message: expect.stringContaining('100 Hz、250 µs') },
          { path: 'programs.0.pulse_width_us', message: expect.stringContaining('100 Hz、250 µs') },
        ],
      },
    })
    await operator.diagnosis.discardDraft.mutate(await draft())
  })

  test('what is wrong is named by the bounds in force, in the language of who asks, to the approver too', async () => {
    const inForce = (most: number) =>
      world.query(
        `UPDATE settings SET value = jsonb_set(value, '{frequency_hz,max}', to_jsonb($1::int)) WHERE key = 'program_bounds'`,
        [most],
      )
    await operator.diagnosis.startDraft.mutate({ version: 7 })
    await operator.diagnosis.saveDraft.mutate({ ...(await draft()), content, note: null })
    const { waiting } = await operator.diagnosis.publish.mutate(await draft())
    await inForce(60)
    const { token } = await signInAs(world, 'colleague@example.com')
    const english = openConsole(world, { session: token, headers: { 'accept-language': 'en' } })
    const approval = english.diagnosis.decide.mutate({ id: waiting?.id ?? '', approve: true })
    expect(await failureOf(approval)).toMatchObject({
      problem: {
        errors: [
          {
            path: 'programs.0.frequency_hz',
            message: 'Program “舒缓” · Frequency (Hz): Must lie between 1 and 60',
          },
        ],
      },
    })
    await inForce(150)
    await operator.diagnosis.decide.mutate({ id: waiting?.id ?? '', approve: false })
    await operator.diagnosis.discardDraft.mutate(await draft())
  })

  test('everybody reads it; viewers and finance change nothing', async () => {
    expect((await viewer.diagnosis.desk.query()).draft).toBe(null)
    for (const who of [viewer, finance])
      expect(await problemOf(who.diagnosis.startDraft.mutate({ version: 3 }))).toBe('forbidden')
  })
})

describe('reports in the console', () => {
  const measurements = [{ t_ms: 0, value: 1 }]
  async function plant(minutes: number[], changes: object = {}) {
    const phone = await world.phone()
    const ids: string[] = []
    for (const minute of minutes) {
      const started_at = new Date(Date.now() - minute * 60_000).toISOString()
      const body = {
        client_report_id: randomUUID(),
        kind: 'scan',
        started_at,
        ended_at: started_at,
        summary: { posture: 'good' },
        measurements,
        ...changes,
      }
      ids.push(Object((await phone.call('/reports', { method: 'POST', body })).body).id)
    }
    return { ids, userId: await userIdOf(world, phone) }
  }

  test('are listed newest first, both ways, without what they say', async () => {
    const { ids, userId } = await plant([3, 1, 2])
    const wanted = [ids[1], ids[2], ids[0]]
    const first = await operator.report.list.query({ search: userId, limit: 2 })
    expect(first.items.map(({ id }) => id)).toEqual(wanted.slice(0, 2))
    expect(JSON.stringify(first)).not.toMatch(/summary|measurements/)
    const second = await operator.report.list.query({
      search: userId,
      limit: 2,
      cursor: first.nextCursor ?? '',
    })
    expect(second.items.map(({ id }) => id)).toEqual(wanted.slice(2))
    const back = await operator.report.list.query({
      search: userId,
      limit: 2,
      cursor: second.previousCursor ?? '',
    })
    expect(back.items).toEqual(first.items)
    const oldest = await operator.report.list.query({ search: userId, sort: 'oldest' })
    expect(oldest.items.map(({ id }) => id)).toEqual(wanted.toReversed())
    expect(await operator.report.totals.query({ search: userId })).toEqual({ count: 3, more: false })
  })

  test('are found by kind, range and serial number', async () => {
    const { ids, userId } = await plant([10], { kind: 'treatment', serial_number: 'FIND-0001' })
    const found = await operator.report.list.query({ search: 'find-0001' })
    expect(found.items.map(({ id }) => id)).toEqual(ids)
    expect((await operator.report.list.query({ search: userId, kind: 'scan' })).items).toEqual([])
    const from = new Date(Date.now() - 5 * 60_000)
    expect((await operator.report.list.query({ search: userId, from })).items).toEqual([])
    expect((await operator.report.list.query({ search: userId, to: from })).items).toHaveLength(1)
  })

  test('each opening is on record, with who and whose', async () => {
    const { ids, userId } = await plant([1])
    const [id = ''] = ids
    const report = await operator.report.open.mutate({ id })
    expect(report).toMatchObject({ id, userId, summary: { posture: 'good' }, measurements })
    await operator.report.open.mutate({ id })
    const entries = (await audited('report.open')).filter(({ subject_id }) => subject_id === id)
    expect(entries).toHaveLength(2)
    expect(entries[0]?.after).toEqual({ kind: 'scan', userId })
    expect(await problemOf(operator.report.open.mutate({ id: randomUUID() }))).toBe('report_not_found')
  })

  test('are nothing for viewers and finance', async () => {
    for (const who of [viewer, finance]) {
      expect(await problemOf(who.report.list.query({}))).toBe('forbidden')
      expect(await problemOf(who.report.totals.query({}))).toBe('forbidden')
      expect(await problemOf(who.report.open.mutate({ id: randomUUID() }))).toBe('forbidden')
    }
  })
})
