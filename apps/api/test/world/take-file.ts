import type { ExportName } from '@meridian/contracts'
import superjson from 'superjson'
import { consoleToken } from './console.ts'
import { type Field, openCsv, openXlsx } from './open-spreadsheet.ts'
import type { TestWorld } from './test-world.ts'

export type FileFormat = 'csv' | 'xlsx'

export type WantedList = {
  name: ExportName
  format: FileFormat
  /** The session of the operator who takes it. */
  token: string
  query?: object
  language?: 'zh-CN' | 'en'
}

/** What each file has to be asked with: those that are of one user or one month alone are not given without it. */
export const neededBy = (name: string, userId: string): object =>
  name === 'ledger' ? { userId } : name === 'deferred' ? { month: '2026-11' } : {}

/** Takes a list out as the console does. */
export async function takeFile(
  world: TestWorld,
  { name, format, token, query = {}, language = 'en' }: WantedList,
) {
  const answer = await fetch(`${world.url}/console/exports/${name}?format=${format}`, {
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

const openers = { csv: openCsv, xlsx: openXlsx }

/** A list as a spreadsheet shows its file: lines by their heads, and the line below them. */
export async function openFile(world: TestWorld, wanted: WantedList) {
  const { file } = await takeFile(world, wanted)
  const [heads = [], ...lines] = openers[wanted.format](file)
  const mark = lines.pop() ?? []
  const rows = lines.map(
    (line): Record<string, Field | undefined> =>
      Object.fromEntries(heads.map((head, at) => [String(head), line[at]])),
  )
  return { heads, rows, mark }
}
