import {
  Colleague,
  Mentions,
  MentionsSeen,
  NewNote,
  NoteListQuery,
  NoteReference,
  NoteRow,
  twoWayPageOf,
} from '@meridian/contracts'
import { z } from 'zod'
import { listNotes } from '../../notes/list-notes.ts'
import { listColleagues, listMentions, markMentionsSeen } from '../../notes/note-mentions.ts'
import { withdrawNote, writeNote } from '../../notes/write-note.ts'
import { onPool } from './console-call.ts'
import { operatorProcedure, permittedProcedure, readingProcedure, router } from './procedures.ts'

export const noteRouter = router({
  /** Every role reads the notes on what it may see. */
  list: operatorProcedure
    .input(NoteListQuery)
    .output(twoWayPageOf(NoteRow))
    .query(({ ctx: { services, session }, input }) =>
      listNotes(services.database.pool, input, {
        operatorId: session.operator.id,
        role: session.operator.role,
      }),
    ),

  write: permittedProcedure('note.write')
    .input(NewNote)
    .output(NoteRow)
    .mutation(({ ctx: { services, session, actor }, input }) =>
      writeNote(services.database.pool, input, { ...actor, role: session.operator.role }),
    ),

  withdraw: permittedProcedure('note.write')
    .input(NoteReference)
    .output(NoteRow)
    .mutation(({ ctx: { services, session, actor }, input }) =>
      withdrawNote(services.database.pool, input.id, { ...actor, role: session.operator.role }),
    ),

  /** Whom a note can mention. */
  colleagues: readingProcedure('note.write')
    .output(z.object({ items: z.array(Colleague) }))
    .query(async ({ ctx }) => ({ items: await listColleagues(ctx.services.database.pool) })),

  /** What mentions the one who asks. */
  mentions: operatorProcedure.output(Mentions).query(({ ctx: { services, session } }) =>
    listMentions(services.database.pool, {
      operatorId: session.operator.id,
      role: session.operator.role,
    }),
  ),

  seeMentions: operatorProcedure
    .input(MentionsSeen)
    .output(z.object({ seen: z.int() }))
    .mutation(onPool(markMentionsSeen)),
})
