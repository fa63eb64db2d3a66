import { ImportAnswer, ImportReport } from '@meridian/contracts'
import { beforeAll, expect, test } from 'vitest'
import { newSystem, type System } from '../world/api-key.ts'
import { doDueJobs } from '../world/do-jobs.ts'
import { call, codeOf } from '../world/phone.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const owner = useConsole(world, 'owner')
let system: System
beforeAll(async () => {
  system = await newSystem(world, owner, { scopes: ['imports:write'] })
})

const head = 'source,source_id,openid,days'
const send = (query: string, body: string, headers: Record<string, string> = {}) =>
  call(`${world.url}/api/v1/integration/imports${query}`, {
    method: 'POST',
    token: system.key,
    headers: { 'content-type': 'text/csv', ...headers },
    body,
  })
const idOf = ({ body }: { body: unknown }) => ImportAnswer.parse(body).id
const reportOf = async (id: string) => ImportReport.parse((await system.get(`/imports/${id}`)).body)

test('a file is kept, taken over by a worker, and asked about until it is done', async () => {
  const answer = await send('?kind=subscribers', `${head}\nshop,d-1,door_a,30\nshop,d-2,door_b,5\n`)
  expect(answer.status).toBe(202)
  const id = idOf(answer)
  expect(await reportOf(id)).toMatchObject({ id, state: 'waiting', users: 0 })
  await doDueJobs(world)
  expect(await reportOf(id)).toEqual({ id, state: 'done', lines: 2, users: 2, days: 35, fen: 0, faults: [] })
  expect(await world.query('SELECT 1 FROM import_pieces')).toHaveLength(0)
})

test('the same file sent again while it waits is one import, and afterwards changes nothing', async () => {
  const file = `${head}\nshop,t-1,twice_a,30\n`
  const first = idOf(await send('?kind=subscribers', file))
  expect(idOf(await send('?kind=subscribers', file))).toBe(first)
  await doDueJobs(world)
  const second = idOf(await send('?kind=subscribers', file))
  await doDueJobs(world)
  expect(await reportOf(second)).toMatchObject({ state: 'done', lines: 1, users: 0, days: 0 })
})

test('a dry run says what a file would bring, and faults are told in the language of whoever asks', async () => {
  const dry = idOf(await send('?kind=subscribers&dry_run=true', `${head}\nshop,y-1,dry_a,7\n`))
  const bad = idOf(await send('?kind=subscribers', `${head}\nshop,y-1,dry_a,x\n`))
  await doDueJobs(world)
  expect(await reportOf(dry)).toMatchObject({ state: 'checked', lines: 1, users: 1, days: 7 })
  const inChinese = await call(`${world.url}/api/v1/integration/imports/${bad}`, {
    token: system.key,
    headers: { 'accept-language': 'zh-CN' },
  })
  expect(ImportReport.parse(inChinese.body).faults).toEqual([
    { line: 2, column: 'days', message: '须为 0–3660 的整数' },
  ])
  const inEnglish = await call(`${world.url}/api/v1/integration/imports/${bad}`, {
    token: system.key,
    headers: { 'accept-language': 'en' },
  })
  expect(ImportReport.parse(inEnglish.body).faults[0]?.message).toBe('takes an integer from 0 to 3660')
  expect(await world.query(`SELECT 1 FROM users WHERE openid = 'dry_a'`)).toHaveLength(0)
})

test('what is no file of a known kind is refused, and nothing of it is kept', async () => {
  expect(codeOf(await send('?kind=colours', head))).toBe('invalid_request')
  expect(codeOf(await send('?kind=orders', '{}', { 'content-type': 'application/json' }))).toBe(
    'unsupported_media_type',
  )
  expect(codeOf(await system.get('/imports/0199f1a2-7b3c-7d4e-8f50-123456789abc'))).toBe('not_found')
  const mebibyte = 'x'.repeat(1024 * 1024)
  expect(codeOf(await send('?kind=orders', mebibyte.repeat(65)))).toBe('payload_too_large')
  expect(await world.query('SELECT 1 FROM import_pieces')).toHaveLength(0)
})
