import { randomUUID } from 'node:crypto'
import { Report, ReportList } from '@meridian/contracts'
import { beforeEach, describe, expect, test } from 'vitest'
import { relaxProgram } from '../world/diagnosis-program.ts'
import { codeOf, type Phone } from '../world/phone.ts'
import { setSetting } from '../world/set-setting.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let phone: Phone

beforeEach(async () => {
  phone = await world.phone()
})

const measurements = [
  { t_ms: 0, channel: 'left', value: 12.5 },
  { t_ms: 20, channel: 'left', value: 13 },
]
const scan = (changes: object = {}) => ({
  client_report_id: randomUUID(),
  kind: 'scan',
  serial_number: 'mer-0001',
  started_at: '2026-11-20T08:00:00Z',
  ended_at: '2026-11-20T16:05:00.250+08:00',
  score: 71.5,
  summary: { posture: '良好', symmetry: 0.93 },
  measurements,
  ...changes,
})
const store = (body: unknown, from = phone) => from.call('/reports', { method: 'POST', body })
const stored = async (changes: object = {}, from = phone) =>
  Report.parse((await store(scan(changes), from)).body)
const countOf = async () =>
  (
    await world.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM reports r JOIN users u ON u.id = r.user_id WHERE u.openid = $1',
      [phone.openid],
    )
  )[0]?.count

/** With `report_detail` and `manual_treatment`, as everybody who pays. */
async function subscribes() {
  await phone.pays(await phone.buys('monthly'))
  await expect.poll(async () => (await phone.subscription()).is_active).toBe(true)
}

describe('storing', () => {
  test('a first report is created, in exactly the shape of the contract', async () => {
    await subscribes()
    const body = scan()
    const answer = await store(body)
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        client_report_id: body.client_report_id,
        kind: 'scan',
        serial_number: 'MER-0001',
        started_at: '2026-11-20T08:00:00.000Z',
        ended_at: '2026-11-20T08:05:00.250Z',
        score: 71.5,
        summary: { posture: '良好', symmetry: 0.93 },
        measurements,
        locked: false,
        created_at: expect.any(String),
      },
    ])
  })

  test('the same number again is the same report, whatever else was sent', async () => {
    const body = scan()
    const first = await store(body)
    const again = await store({ ...body, score: 1, kind: 'treatment' })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    expect(await countOf()).toBe(1)
  })

  test('twenty times at once is one report', async () => {
    const body = scan()
    const answers = await Promise.all(Array.from({ length: 20 }, () => store(body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
    expect(new Set(answers.map(({ body: report }) => Report.parse(report).id)).size).toBe(1)
    expect(await countOf()).toBe(1)
  })

  test('two people may use the same number', async () => {
    const body = scan()
    const other = await world.phone()
    const [one, two] = [await store(body), await store(body, other)]
    expect([one.status, two.status]).toEqual([201, 201])
    expect(Report.parse(one.body).id).not.toBe(Report.parse(two.body).id)
  })

  test('what may be left out may also be null', async () => {
    const { serial_number: _serial, score: _score, ...less } = scan()
    const answers = [
      await store(less),
      await store(scan({ serial_number: null, score: null, program_code: null })),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(201)
      expect(body).toMatchObject({ serial_number: null, score: null })
    }
  })

  test.each([
    ['no number', { client_report_id: '' }],
    ['a number with a blank', { client_report_id: 'a b' }],
    ['another kind', { kind: 'massage' }],
    ['a bad serial number', { serial_number: 'x' }],
    ['an end before its start', { ended_at: '2026-11-20T07:59:59Z' }],
    ['a day that does not exist', { started_at: '2026-02-30T00:00:00Z' }],
    ['a year zero', { started_at: '0000-01-01T00:00:00Z' }],
    ['no time zone', { started_at: '2026-11-20T08:00:00' }],
    ['a score in words', { score: 'good' }],
    ['no summary', { summary: undefined }],
    ['a list as summary', { summary: [] }],
    ['a number among the measurements', { measurements: [1] }],
    ['a NUL in a text', { summary: { text: 'a\u0000b' } }],
    ['half of a character', { measurements: [{ text: '\ud83d' }] }],
    ['half of a character in a key', { summary: { '\udc00': 1 } }],
  ])('%s is an invalid request', async (_what, changes) => {
    const answer = await store(scan(changes))
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })

  test('a hundred thousand wrong measurements are refused in one word', async () => {
    const answer = await store(scan({ measurements: Array(100_000).fill(1) }))
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'measurements' }] })
  })

  test.each(['summary', 'measurements', 'score'])(
    'a number in %s that is too large to be one is refused, not stored as null',
    async (path) => {
      const said = { summary: { value: 4e99 }, measurements: [{ value: 4e99 }], score: 4e99 }[path]
      const answer = await store(JSON.stringify(scan({ [path]: said })).replace('4e+99', '-1e400'))
      expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
      expect(answer.body).toMatchObject({ errors: [{ path }] })
    },
  )

  test('an abyss of brackets is an invalid request', async () => {
    const abyss = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const answer = await store(JSON.stringify(scan({ summary: { deep: 'here' } })).replace('"here"', abyss))
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })

  test('256 KiB are stored, a byte more is too large', async () => {
    const padded = (bytes: number) => {
      const body = JSON.stringify(scan({ summary: { note: '' } }))
      return body.replace('"note":""', `"note":"${'x'.repeat(bytes - body.length)}"`)
    }
    expect((await store(padded(256 * 1024))).status).toBe(201)
    const answer = await store(padded(256 * 1024 + 1))
    expect([answer.status, codeOf(answer)]).toEqual([413, 'payload_too_large'])
  })

  test('what would grow beyond the bound of the table is too large', async () => {
    const answer = await store(scan({ measurements: Array(5000).fill({ v: 1e300 }) }))
    expect([answer.status, codeOf(answer)]).toEqual([413, 'payload_too_large'])
  })
})

describe('the quota', () => {
  test('is never exceeded, however many reports come at once', async () => {
    await setSetting(world, 'reports_per_user', 3)
    const answers = await Promise.all(Array.from({ length: 12 }, () => store(scan())))
    await setSetting(world, 'reports_per_user', 2000)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map((answer) => [answer.status, codeOf(answer)])).toEqual(
      Array(9).fill([409, 'report_limit_reached']),
    )
    expect(await countOf()).toBe(3)
  })

  test('does not stand in the way of a repeat, and a deletion makes room', async () => {
    await setSetting(world, 'reports_per_user', 1)
    const body = scan()
    const first = await store(body)
    expect((await store(body)).status).toBe(200)
    expect((await store(scan())).status).toBe(409)
    await phone.call(`/reports/${Report.parse(first.body).id}`, { method: 'DELETE' })
    expect((await store(scan())).status).toBe(201)
    await setSetting(world, 'reports_per_user', 2000)
  })
})

describe('the measurements', () => {
  test('are locked without the feature report_detail, everywhere', async () => {
    const { id } = await stored()
    const shown = await phone.call(`/reports/${id}`)
    expect(shown.status).toBe(200)
    expect(shown.body).toMatchObject({ id, locked: true })
    expect(shown.body).not.toHaveProperty('measurements')
    expect(await phone.call('/reports')).toMatchObject({ body: { items: [{ id, locked: true }] } })
    await subscribes()
    expect((await phone.call(`/reports/${id}`)).body).toMatchObject({ locked: false, measurements })
  })

  test('are open to everybody where the feature is free', async () => {
    const { id } = await stored()
    await setSetting(world, 'free_features', ['report_detail'])
    const shown = await phone.call(`/reports/${id}`)
    await setSetting(world, 'free_features', [])
    expect(shown.body).toMatchObject({ locked: false, measurements })
  })

  test('are not part of a list', async () => {
    await subscribes()
    await stored()
    const { items } = ReportList.parse((await phone.call('/reports')).body)
    expect(items).toHaveLength(1)
    expect(JSON.stringify((await phone.call('/reports')).body)).not.toContain('measurements')
  })
})

describe('the list', () => {
  const startsAt = (minute: number) => ({
    started_at: `2026-11-20T08:${String(minute).padStart(2, '0')}:00Z`,
    ended_at: '2026-11-20T10:00:00Z',
  })

  test('goes by the start, newest first, page after page, each report once, also where starts are equal', async () => {
    for (const minute of [5, 1, 3, 3, 3, 9, 7]) await stored(startsAt(minute))
    const seen: string[] = []
    const starts: string[] = []
    let path = '/reports?limit=2'
    for (let page = 0; page < 4; page++) {
      const { items, next_cursor } = ReportList.parse((await phone.call(path)).body)
      seen.push(...items.map(({ id }) => id))
      starts.push(...items.map(({ started_at }) => started_at.slice(14, 16)))
      path = `/reports?limit=2&cursor=${next_cursor}`
      expect(next_cursor === null).toBe(page === 3)
    }
    expect(starts).toEqual(['09', '07', '05', '03', '03', '03', '01'])
    expect(new Set(seen).size).toBe(7)
  })

  test('is narrowed by kind and by when they started, from included and to not', async () => {
    for (const minute of [1, 2, 3]) await stored(startsAt(minute))
    await stored({ ...startsAt(2), kind: 'treatment' })
    const starts = async (query: string) =>
      ReportList.parse((await phone.call(`/reports?${query}`)).body).items.map(
        ({ kind, started_at }) => `${kind} ${started_at.slice(14, 16)}`,
      )
    expect(await starts('kind=treatment')).toEqual(['treatment 02'])
    expect(await starts('kind=scan&from=2026-11-20T08:02:00Z')).toEqual(['scan 03', 'scan 02'])
    expect(await starts('kind=scan&from=2026-11-20T16:01:00%2B08:00&to=2026-11-20T08:03:00Z')).toEqual([
      'scan 02',
      'scan 01',
    ])
  })

  test.each(['kind=x', 'from=yesterday', 'limit=0', 'limit=101', 'cursor=x', 'to=2026-02-30T00:00:00Z'])(
    '%s is an invalid request',
    async (query) => {
      const answer = await phone.call(`/reports?${query}`)
      expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    },
  )

  test('refuses a cursor of another list', async () => {
    const cursor = Buffer.from('["2026-11-20 08:00:00+00","17","next"]').toString('base64url')
    expect((await phone.call(`/reports?cursor=${cursor}`)).status).toBe(400)
  })
})

describe('a single report', () => {
  test.each(['GET', 'DELETE'])(
    '%s finds neither what does not exist nor what is not mine',
    async (method) => {
      const { id } = await stored({}, await world.phone())
      const [none, notMine, noId] = [
        await phone.call(`/reports/${randomUUID()}`, { method }),
        await phone.call(`/reports/${id}`, { method }),
        await phone.call('/reports/not-an-id', { method }),
      ]
      for (const answer of [none, notMine, noId])
        expect([answer.status, codeOf(answer)]).toEqual([404, 'report_not_found'])
    },
  )

  test('is gone once deleted, and its number is free again', async () => {
    const body = scan()
    const { id } = Report.parse((await store(body)).body)
    expect(await phone.call(`/reports/${id}`, { method: 'DELETE' })).toMatchObject({ status: 204, body: '' })
    expect((await phone.call(`/reports/${id}`)).status).toBe(404)
    expect((await phone.call(`/reports/${id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await store(body)).status).toBe(201)
  })
})

const program = (code: string, premium: boolean) => ({
  ...relaxProgram,
  code,
  name: code,
  contraindications: ['心脏起搏器'],
  premium,
})

async function publish(version: number, programs: object[]) {
  await world.query(
    `INSERT INTO diagnosis_versions (version, state, content, published_at) VALUES ($1, 'published', $2, business_now())`,
    [version, JSON.stringify({ body_parts: [{ code: 'neck', name: '颈部' }], programs })],
  )
}

describe('the diagnosis configuration', () => {
  test('is empty at first, and only for who is signed in', async () => {
    const answer = await phone.call('/diagnosis-config')
    expect([answer.status, answer.body]).toEqual([
      200,
      { version: 1, published_at: expect.any(String), body_parts: [], programs: [] },
    ])
    expect((await phone.call('/diagnosis-config', { token: null })).status).toBe(401)
  })

  test('withholds what premium programs do, until they may be used; the tag covers that', async () => {
    await publish(2, [program('relax', false), program('deep', true)])
    const locked = await phone.call('/diagnosis-config')
    expect(locked.headers.get('cache-control')).toBe('private, no-cache')
    expect(locked.body).toMatchObject({
      version: 2,
      body_parts: [{ code: 'neck', name: '颈部' }],
      programs: [
        { ...program('relax', false), locked: false },
        { code: 'deep', contraindications: ['心脏起搏器'], premium: true, locked: true },
      ],
    })
    expect(Object.keys(Object(locked.body).programs[1]).sort()).toEqual([
      'body_part',
      'code',
      'contraindications',
      'locked',
      'name',
      'premium',
    ])
    const tag = locked.headers.get('etag') ?? ''
    const asks = (ifNoneMatch: string) =>
      phone.call('/diagnosis-config', { headers: { 'if-none-match': ifNoneMatch } })
    expect(await asks(tag)).toMatchObject({ status: 304, body: '' })
    expect((await asks(tag)).headers.get('etag')).toBe(tag)

    await subscribes()
    const open = await asks(tag)
    expect(open.status).toBe(200)
    expect(open.headers.get('etag')).not.toBe(tag)
    expect(open.body).toMatchObject({ programs: [{}, { ...program('deep', true), locked: false }] })

    await publish(3, [program('relax', false)])
    expect((await asks(open.headers.get('etag') ?? '')).status).toBe(200)
  })

  test('a treatment of a premium program takes the feature; a scan, another program or an unknown one does not', async () => {
    await publish(4, [program('relax', false), program('deep', true)])
    const treatment = (program_code: string) => scan({ kind: 'treatment', program_code })
    const refused = await store(treatment('deep'))
    expect([refused.status, codeOf(refused)]).toEqual([403, 'subscription_required'])
    expect(await countOf()).toBe(0)
    for (const body of [treatment('relax'), treatment('gone'), scan({ program_code: 'deep' })])
      expect((await store(body)).status).toBe(201)
    await subscribes()
    const body = treatment('deep')
    expect((await store(body)).status).toBe(201)
    await world.passTime({ days: 30 })
    expect((await phone.subscription()).is_active).toBe(false)
    expect((await store(body)).status).toBe(200)
  })
})

describe('a list of heavy reports', () => {
  const plant = (count: number, bytes: number) =>
    world.query(
      `INSERT INTO reports (id, user_id, client_report_id, kind, started_at, ended_at, summary, measurements)
       SELECT gen_random_uuid(), u.id, n::text, 'scan', business_now() - n * interval '1 minute', business_now(),
         jsonb_build_object('text', (SELECT string_agg(md5(random()::text || n || m), '') FROM generate_series(1, $3::int / 32) m)),
         '[]' FROM users u, generate_series(1, $2::int) n WHERE u.openid = $1`,
      [phone.openid, count, bytes],
    )

  test('leaves out summaries of more than 16 KiB, which the report itself has', async () => {
    await plant(2, 100 * 1024)
    const { items } = ReportList.parse((await phone.call('/reports')).body)
    expect(items.map(({ summary }) => summary)).toEqual([{}, {}])
    const { body } = await phone.call(`/reports/${items[0]?.id}`)
    expect(JSON.stringify(Report.parse(body).summary).length).toBeGreaterThan(100 * 1024)
  })

  test('weighs a megabyte at most, and goes on where it ended', async () => {
    await plant(100, 15 * 1024)
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await phone.call(`/reports?limit=100${cursor && `&cursor=${cursor}`}`)
      expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(1024 * 1024 + 2048)
      const page = ReportList.parse(body)
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.next_cursor
    }
    expect(new Set(seen).size).toBe(100)
    expect(seen).toHaveLength(100)
  })
})
