import type { ImportKind } from '@meridian/contracts'
import { expect, test } from 'vitest'
import { importFile } from '../../src/imports/import-file.ts'
import { useImportFiles } from '../world/import-lines.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const write = useImportFiles()

/** What is told of a file of these bytes. */
async function faultsOf(kind: ImportKind, bytes: Buffer | string) {
  const file = await write(bytes)
  const { state, faults } = await importFile(world.services, { file, kind, dryRun: false })
  return { state, faults: faults.map(({ line, column, code }) => `${line} ${column ?? '-'} ${code}`) }
}

const subscribers = 'source,source_id,openid,nickname,days'
const paid = (at: string) =>
  `source,source_id,openid,plan_code,amount_fen,paid_at\nshop,p-1,paid_a,monthly,2900,${at}\n`

test('a file that is no CSV, a workbook or UTF-16 without its mark, is told as one with unknown columns', async () => {
  const workbook = await faultsOf('subscribers', Buffer.from('PK\x03\x04\x14\x00\x06\x00,x\nabc'))
  expect(workbook.state).toBe('faulty')
  expect(workbook.faults[0]).toMatch(/^1 pk\uFFFD{2,}\S* column_unknown$/u)
  const wide = await faultsOf('subscribers', Buffer.from(`${subscribers}\nshop,w-1,wide_a,,3\n`, 'utf16le'))
  expect(wide.faults[0]).toBe(`1 ${[...'source'].join('\uFFFD')}\uFFFD column_unknown`)
  const cut = await faultsOf('subscribers', `${'a'.repeat(63)}😀\n`)
  expect(cut.faults[0]).toBe(`1 ${'a'.repeat(63)}\uFFFD column_unknown`)
})

test('half of a character in UTF-16 is a fault of its line', async () => {
  const half = Buffer.from(`\uFEFF${subscribers}\nshop,h-1,half_a,x\uD83D,3\n`, 'utf16le')
  expect(await faultsOf('subscribers', half)).toEqual({ state: 'faulty', faults: ['2 nickname text_form'] })
})

test('an instant that nothing can keep, or of a year before the company, is malformed', async () => {
  const malformed = [
    ...['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+08:00', '1999-12-31T23:59:59Z', '9999-12-31T00:00:00Z'],
    ...['2026-01-01T00:00:00+23:00', '2026-01-01T00:00:00-14:30', `2026-01-01T00:00:00.${'1'.repeat(200)}Z`],
  ]
  for (const at of malformed)
    expect(await faultsOf('orders', paid(at)), at).toEqual({
      state: 'faulty',
      faults: ['2 paid_at instant_form'],
    })
  expect((await faultsOf('orders', paid('2000-01-01T13:59:59+14:00'))).faults).toEqual([
    '2 paid_at instant_form',
  ])
  expect(await faultsOf('orders', paid('2000-01-01T14:00:00.123456789+14:00'))).toEqual({
    state: 'done',
    faults: [],
  })
})

test('a file in another encoding is told once, with the first line that is not UTF-8', async () => {
  const lin = Buffer.from([0xc1, 0xd6])
  const line = (n: number) => Buffer.concat([Buffer.from(`shop,g-${n},gbk_${n},`), lin, Buffer.from(',3\n')])
  const gbk = Buffer.concat([Buffer.from(`${subscribers}\nshop,g-1,gbk_1,Lin,3\n`), line(2), line(3)])
  expect(await faultsOf('subscribers', gbk)).toEqual({ state: 'faulty', faults: ['3 - unreadable'] })
  const cutOff = Buffer.from(`${subscribers}\nshop,g-4,gbk_4,3,林`).subarray(0, -1)
  expect(await faultsOf('subscribers', cutOff)).toEqual({ state: 'faulty', faults: ['2 - unreadable'] })
})

test('a replacement character that the other system wrote itself is taken over', async () => {
  const file = `${subscribers}\nshop,u-1,replaced_a,Lin\uFFFD,3\n`
  expect(await faultsOf('subscribers', file)).toEqual({ state: 'done', faults: [] })
})

test('each line with more or fewer cells is told, and the lines behind it are read', async () => {
  const file = [
    subscribers,
    'shop,n-1,cells_a',
    'shop,n-2,cells b,,3',
    '',
    ' , ,,,',
    'shop,n-3,cells_c,,3,4',
    'shop,n-4,cells_d,,3',
  ]
  expect((await faultsOf('subscribers', file.join('\n'))).faults).toEqual([
    '2 - cells_count',
    '3 openid openid_form',
    '6 - cells_count',
  ])
})
