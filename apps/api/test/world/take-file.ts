import type { ExportName } from '@meridian/contracts'
import superjson from 'superjson'
import { consoleToken } from './console.ts'
import { type Field, openCsv, openWorkbook, openXlsx } from './open-spreadsheet.ts'
import type { TestWorld } from './test-world.ts'

export type FileFormat = 'csv' | 'xlsx'

type WantedFile = {
  /** The session of the operator who takes it. */
  token: string
  query?: object
  language?: 'zh-CN' | 'en'
}

export type WantedList = WantedFile & { name: ExportName; format: FileFormat }

/** What each file has to be asked with: those that are of one user or one month alone are not given without it. */
export const neededBy = (name: string, userId: string): object =>
  name === 'ledger' ? { userId } : name === 'deferred' ? { month: '2026-11' } : {}

/** Takes a file out as the console does. */
async function take(world: TestWorld, path: string, { token, query = {}, language = 'en' }: WantedFile) {
  const answer = await fetch(`${world.url}/console/exports/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'accept-language': language,
      'x-console-token': await consoleToken(world),
      authorization: `Bearer ${token}`,
    },
    body: superjson.stringify(query),
  })
  return { answer, file: Buffer.from(await answer.arrayBuffer()) }
}

/** Takes a list out. */
export const takeFile = (world: TestWorld, { name, format, ...wanted }: WantedList) =>
  take(world, `${name}?format=${format}`, wanted)

/** Takes the month for the accountant out. */
export const takeMonthPack = (world: TestWorld, wanted: WantedFile) => take(world, 'month-pack', wanted)

type Line = Record<string, Field | undefined>

/** Lines by their heads. */
const linesByHead = ([heads = [], ...lines]: Field[][]): Line[] =>
  lines.map((line) => Object.fromEntries(heads.map((head, at) => [String(head), line[at]])))

const openers = { csv: openCsv, xlsx: openXlsx }

/** A list as a spreadsheet shows its file: lines by their heads, and the line below them. */
export async function openFile(world: TestWorld, wanted: WantedList) {
  const { file } = await takeFile(world, wanted)
  const lines = openers[wanted.format](file)
  const mark = lines.at(-1) ?? []
  return { heads: lines[0] ?? [], rows: linesByHead(lines.slice(0, -1)), mark }
}

/** The month for the accountant as a spreadsheet shows it: its sheets by their names, and the lines of each by their heads. */
export async function openMonthPack(world: TestWorld, wanted: WantedFile) {
  const sheets = openWorkbook((await takeMonthPack(world, wanted)).file)
  return { sheets, rowsOf: (sheet: string) => linesByHead(sheets[sheet] ?? []) }
}
