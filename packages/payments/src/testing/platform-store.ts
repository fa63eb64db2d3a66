import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** One record of what a platform stores: of each kind and key the newest value counts, and null is none. */
export type StoredRecord = { kind: RecordKind; key: string; value: unknown }
export const recordKinds = [
  'order',
  'refund',
  'notification',
  'task',
  'message',
  'shipped',
  'bill',
  'certificate',
  'virtual_order',
  'virtual_refund',
  'virtual_item',
] as const
export type RecordKind = (typeof recordKinds)[number]

/** Where a platform keeps what must outlive its program. */
export type PlatformStore = {
  /** Everything that counts, in the order in which it first came. */
  read: () => readonly StoredRecord[]
  /** Stores it durably; returns before the platform answers or notifies anybody. */
  save: (record: StoredRecord) => void
}

/** For platforms that live as long as a test. */
export const noStore: PlatformStore = { read: () => [], save: () => undefined }

const isInstant = (name: string) => name === 'at' || name.endsWith('At')

const isRecord = (read: unknown): read is StoredRecord =>
  typeof read === 'object' &&
  read !== null &&
  'kind' in read &&
  recordKinds.some((kind) => kind === read.kind) &&
  'key' in read &&
  typeof read.key === 'string' &&
  'value' in read

function parseLine(line: string): StoredRecord {
  const read: unknown = JSON.parse(line, (name, part) =>
    typeof part === 'string' && isInstant(name) ? new Date(part) : part,
  )
  if (!isRecord(read)) throw new Error(`A line of the store is no record: ${line.slice(0, 100)}`)
  return read
}

const lineOf = (kept: StoredRecord) => `${JSON.stringify(kept)}\n`

/** What counts of a file of lines; a last line without its end was being written when the program died. */
function readLines(file: string): StoredRecord[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const newest = new Map<string, StoredRecord>()
  for (const kept of lines.map(parseLine)) newest.set(`${kept.kind} ${kept.key}`, kept)
  return [...newest.values()].filter(({ value }) => value !== null)
}

/** Written beside and renamed, so that nobody ever finds half a file. */
function rewrite(file: string, kept: readonly StoredRecord[]): void {
  writeFileSync(`${file}.new`, kept.map(lineOf).join(''), { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}

/**
 * Keeps a platform in one file of this folder, a line for each change, on the disk before anybody is answered; what no
 * longer counts goes when the file is opened.
 */
export function fileStore(folder: string): PlatformStore & { close: () => void } {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'platform.jsonl')
  const found = readLines(file)
  rewrite(file, found)
  const handle = openSync(file, 'a')
  return {
    read: () => found,
    save: (record) => {
      writeSync(handle, lineOf(record))
      fdatasyncSync(handle)
    },
    close: () => closeSync(handle),
  }
}
