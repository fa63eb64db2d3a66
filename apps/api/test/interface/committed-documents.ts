import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const files = {
  /** The document as it is now, in English. */
  current: join(import.meta.dirname, '../../../../openapi.json'),
  /** The same in Chinese. */
  chinese: join(import.meta.dirname, '../../../../openapi.zh-CN.json'),
  /** What clients were promised last; version 1 never takes anything of it back. */
  promised: join(import.meta.dirname, 'promised-v1.json'),
} as const

export type Kept = keyof typeof files

export const readCommitted = (which: Kept): unknown => JSON.parse(readFileSync(files[which], 'utf8'))

export const writeCommitted = (which: Kept, document: object): void =>
  writeFileSync(files[which], `${JSON.stringify(document, null, 2)}\n`)
