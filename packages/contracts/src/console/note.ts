import { z } from 'zod'
import { pageFields, SerialId } from '../paging.ts'
import { isStorableText } from '../storable.ts'
import { SubjectReference } from './subject.ts'

/** How long a note may be, in characters. */
export const MOST_NOTE_CHARACTERS = 2000

/** How many colleagues one note may name. */
export const MOST_MENTIONS = 10

/** For how many minutes its author may take a note back. */
export const noteWithdrawalMinutes = 5

/** Plain text of several lines: no control characters but the end of a line and the tabulator. */
export const NoteText = z
  .string()
  .transform((text) => text.replaceAll('\r\n', '\n').trim())
  .pipe(
    z
      .string()
      .min(1)
      .max(MOST_NOTE_CHARACTERS)
      .regex(/^[\P{Cc}\n\t]*$/u)
      .refine(isStorableText),
  )

export const NewNote = z.object({
  subject: SubjectReference,
  text: NoteText,
  /** The operators whom it names; who no longer works here is left out. */
  mentions: z.array(z.uuid()).max(MOST_MENTIONS).default([]),
})
export type NewNote = z.infer<typeof NewNote>

export const NoteReference = z.object({ id: SerialId })

export const NoteListQuery = z.object({ subject: SubjectReference, ...pageFields })
export type NoteListQuery = z.infer<typeof NoteListQuery>

/** Somebody who uses the console, by the name that others write after an @. */
export const Colleague = z.object({ id: z.uuid(), name: z.string() })
export type Colleague = z.infer<typeof Colleague>

export const NoteRow = z.object({
  id: SerialId,
  /** Null once the person it concerns is erased, and for everybody but owners once it was withdrawn. */
  text: z.string().nullable(),
  author: z.string(),
  createdAt: z.date(),
  withdrawnAt: z.date().nullable(),
  /** Until when who reads it may withdraw it: their own, for some minutes. */
  withdrawableUntil: z.date().nullable(),
  /** The names of whom it mentions. */
  mentions: z.array(z.string()),
})
export type NoteRow = z.infer<typeof NoteRow>

/** A note that names who reads it. */
export const MentionRow = NoteRow.pick({ id: true, text: true, author: true, createdAt: true }).extend({
  subject: SubjectReference,
  seenAt: z.date().nullable(),
})
export type MentionRow = z.infer<typeof MentionRow>

/** The newest notes that name somebody, and how many of all they have not seen: exact up to a hundred. */
export const Mentions = z.object({ items: z.array(MentionRow), unseen: z.int() })
export type Mentions = z.infer<typeof Mentions>

/** This note counts as seen, or everything up to one. */
export const MentionsSeen = z.union([z.object({ id: SerialId }), z.object({ upTo: SerialId })])
export type MentionsSeen = z.infer<typeof MentionsSeen>
