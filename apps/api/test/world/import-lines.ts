import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportKind } from '@meridian/contracts'
import { afterAll, beforeAll } from 'vitest'
import { importFile } from '../../src/imports/import-file.ts'
import type { TestWorld } from './test-world.ts'

const heads: Readonly<Record<ImportKind, string>> = {
  subscribers: 'source,source_id,openid,days',
  orders: 'source,source_id,openid,plan_code,amount_fen,transaction_id,out_trade_no,paid_at,days',
  bindings: 'source,source_id,openid,serial_number,bound_at',
}

/** Answers what writes a file to import; its files are gone with the tests. */
export function useImportFiles(): (content: string | Buffer) => Promise<string> {
  let folder = ''
  let files = 0
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-import-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return async (content) => {
    files += 1
    const file = join(folder, `${files}.csv`)
    await writeFile(file, content)
    return file
  }
}

/** Answers what imports lines of a kind, as the command does. */
export function useImports(world: TestWorld) {
  const write = useImportFiles()
  return async (kind: ImportKind, lines: readonly string[], services = world.services) =>
    importFile(services, {
      ...{ kind, dryRun: false },
      file: await write(`${[heads[kind], ...lines].join('\n')}\n`),
    })
}
