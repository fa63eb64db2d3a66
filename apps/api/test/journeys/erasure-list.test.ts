import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { completeErasureList } from '../../src/account/erasure-list.ts'
import { checkErasures } from '../../src/startup/start-checks.ts'
import { runCommand } from '../world/api-process.ts'
import { openTestWorld, type TestWorld } from '../world/test-world.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-erasures-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function openWorld() {
  const file = join(folder, `${randomUUID()}.jsonl`)
  return { file, world: await openTestWorld({ environment: { ERASURE_LIST_FILE: file } }) }
}

async function erase(world: TestWorld) {
  const phone = await world.phone()
  await phone.call('/me', { method: 'PUT', body: { nickname: 'somebody known', avatar_url: null } })
  const code = world.platform.loginCode(phone.openid)
  expect((await phone.call('/me', { method: 'DELETE', body: { confirm: 'DELETE', code } })).status).toBe(204)
  const [user] = await world.query<{ id: string; mark: string }>(
    'SELECT id, openid_mac AS mark FROM users WHERE erased_at IS NOT NULL',
  )
  return { ...phone, id: user?.id ?? '', mark: user?.mark ?? '' }
}

/** As a backup from before the erasure brings it back. */
const bringBack = (world: TestWorld, { id, openid }: { id: string; openid: string }) =>
  world.query(
    `UPDATE users SET openid = $2, openid_mac = NULL, erased_at = NULL, nickname = 'somebody known' WHERE id = $1`,
    [id, openid],
  )

const userNow = async (world: TestWorld, id: string) =>
  (await world.query('SELECT nickname, openid, openid_mac AS mark FROM users WHERE id = $1', [id]))[0]

async function applyErasures(world: TestWorld, file: string) {
  const env = { DATABASE_URL: world.databaseUrl, ERASURE_LIST_FILE: file }
  const { code, stdout: out, stderr: complaint } = await runCommand('apply-erasures', { env })
  return { code, out, complaint }
}

test('whoever was erased after a backup is erased again after it is restored, and the list names nobody', async () => {
  const { world, file } = await openWorld()
  await using _ = world
  const person = await erase(world)
  expect(await readFile(file, 'utf8')).toBe(`${JSON.stringify({ user_id: person.id, mark: person.mark })}\n`)
  expect(await readFile(file, 'utf8')).not.toContain(person.openid)
  await bringBack(world, person)
  const { code, out } = await applyErasures(world, file)
  expect(code).toBe(0)
  expect(out).toBe('1 erasures listed, 1 people erased again.\n')
  const erased = { nickname: null, openid: `erased:${person.mark}:${person.id}`, mark: person.mark }
  expect(await userNow(world, person.id)).toEqual(erased)
  expect((await applyErasures(world, file)).out).toBe('1 erasures listed, 0 people erased again.\n')
})

test('a start erases again by itself, and adds to the list what it lacks', async () => {
  const { world, file } = await openWorld()
  await using _ = world
  const person = await erase(world)
  const whole = await readFile(file, 'utf8')
  await writeFile(file, '')
  await checkErasures(world.services)
  expect(await readFile(file, 'utf8')).toBe(whole)
  await bringBack(world, person)
  await checkErasures(world.services)
  expect(await userNow(world, person.id)).toMatchObject({ nickname: null, mark: person.mark })
  await checkErasures(world.services)
  expect(await readFile(file, 'utf8')).toBe(whole)
})

test('a list is completed in parts of ten thousand, however many it lacks', async () => {
  const { world, file } = await openWorld()
  await using _ = world
  await world.query(`INSERT INTO users (id, openid, openid_mac, erased_at)
    SELECT gen_random_uuid(), 'erased:' || n, 'mark-' || n, now() FROM generate_series(1, 10001) n`)
  const noteAll = async () => {
    let statements = 0
    const count = () => (statements += 1)
    const { pool } = world.services.database
    pool.on('acquire', count)
    await completeErasureList(pool, file)
    pool.off('acquire', count)
    return { statements, marks: (await readFile(file, 'utf8')).match(/mark-\d+/g) ?? [] }
  }
  const first = await noteAll()
  expect([first.statements, first.marks.length, new Set(first.marks).size]).toEqual([2, 10_001, 10_001])
  const half = (await readFile(file, 'utf8')).split('\n').filter((_line, at) => at % 2 === 0)
  await writeFile(file, half.join('\n'))
  const again = await noteAll()
  expect([again.marks.length, new Set(again.marks)]).toEqual([10_001, new Set(first.marks)])
})

test('a line that a crash cut off spoils nothing and is written again', async () => {
  const { world, file } = await openWorld()
  await using _ = world
  const whole = await erase(world).then(() => readFile(file, 'utf8'))
  const torn = whole.slice(0, 30)
  await writeFile(file, torn)
  expect((await applyErasures(world, file)).out).toContain('0 erasures listed')
  await checkErasures(world.services)
  expect(await readFile(file, 'utf8')).toBe(`${torn}\n${whole}`)
  const { code, out } = await applyErasures(world, file)
  expect(code).toBe(0)
  expect(out).toContain('1 erasures listed')
  expect(out).toContain('1 lines of the list were cut off')
})
