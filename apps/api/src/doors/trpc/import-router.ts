import { ImportDetail, ImportReference, ImportRow } from '@meridian/contracts'
import { z } from 'zod'
import { listImports, showImport } from '../../imports/list-imports.ts'
import { askUndo } from '../../imports/undo-import.ts'
import { onPool } from './console-call.ts'
import { permittedProcedure, readingProcedure, router } from './procedures.ts'

const reading = readingProcedure('import.manage')

/** Files of other systems. They come in at the door of files. */
export const importRouter = router({
  list: reading
    .output(z.object({ items: z.array(ImportRow) }))
    .query(async ({ ctx }) => ({ items: await listImports(ctx.services.database.pool) })),

  show: reading
    .input(ImportReference)
    .output(ImportDetail)
    .query(({ ctx, input }) => showImport(ctx.services.database.pool, input, ctx.language)),

  /** Asks for what an upload takes, before a large file is sent. */
  admit: permittedProcedure('import.manage').mutation(() => undefined),

  undo: permittedProcedure('import.manage').input(ImportReference).mutation(onPool(askUndo)),
})
