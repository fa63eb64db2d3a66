import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { ImportKind } from '@meridian/contracts'
import { beginImport, type ImportView } from './keep-import.ts'
import { type Importing, runImport } from './run-import.ts'

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  for await (const bytes of createReadStream(file)) yield Buffer.from(bytes)
}

/** What a file is known by, so that the import of one goes on where it was cut off. */
async function digestOf(file: string): Promise<{ digest: Buffer; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of bytesOf(file)) {
    hash.update(piece)
    bytes += piece.length
  }
  return { digest: hash.digest(), bytes }
}

/** Takes a file of this machine over in this process; again, where an earlier try was cut off, from where that was. */
export async function importFile(
  services: Importing,
  { file, kind, dryRun }: { file: string; kind: ImportKind; dryRun: boolean },
): Promise<ImportView> {
  const id = await beginImport(services.database.pool, {
    ...(await digestOf(file)),
    kind,
    dryRun,
    by: null,
  })
  return runImport(services, id, bytesOf(file))
}
