import type { Services } from '../services.ts'
import { readImport, readImportPieces } from './keep-import.ts'
import { runImport } from './run-import.ts'

/** Takes over the file that the door has kept. */
export async function takeImport(services: Services, id: string): Promise<void> {
  const { pool } = services.database
  await readImport(pool, id)
  await runImport(services, id, readImportPieces(pool, id))
}
