import { z } from 'zod'
import { MOST_RECENT } from '../count-limits.ts'
import { SearchHit } from './search.ts'
import { SubjectKind, SubjectReference } from './subject.ts'

/** How many things an operator keeps at hand, and how many of those they opened last are shown. */
export const MOST_PINS = 20

/** What can be pinned: whatever the search finds. */
export const PinKind = SubjectKind.extract(['order', 'refund', 'user', 'device'])
export type PinKind = z.infer<typeof PinKind>

export const PinReference = SubjectReference.extend({ kind: PinKind }).refine(
  ({ kind, id }) => kind !== 'user' || z.uuid().safeParse(id).success,
)
export type PinReference = z.infer<typeof PinReference>

/** What the search shows before anything is typed: the things opened last, by what the browser kept, and those pinned. */
export const AtHandQuery = z.object({ recent: z.array(PinReference).max(MOST_RECENT) })
export type AtHandQuery = z.infer<typeof AtHandQuery>

export const AtHand = z.object({ pinned: z.array(SearchHit), recent: z.array(SearchHit) })
export type AtHand = z.infer<typeof AtHand>
