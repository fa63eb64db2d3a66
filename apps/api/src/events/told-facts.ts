import { type EventData, type EventTypeName, eventData } from '@meridian/contracts'
import { newUlid } from '../platform/ids/new-id.ts'

/** What an event is about: one of them after the other is told, in the order they happened. */
export type SubjectKind = 'order' | 'refund' | 'user' | 'device' | 'complaint' | 'alert'

/** Lines of an append-only table by their numbers: those after one, up to another. */
export type Lines = { after: bigint; until: bigint }

/** A fact to be told, of one type and its data. */
export type Fact = {
  [Type in EventTypeName]: {
    type: Type
    subjectKind: SubjectKind
    subject: string
    at: Date
    data: EventData[Type]
  }
}[EventTypeName]

/** A fact as it is kept: its bytes are these, on each try. */
export type ToldFact = {
  eventId: string
  type: EventTypeName
  subjectKind: SubjectKind
  subject: string
  seq: number
  at: string
  body: string
}

/** Writes a fact down once, in the shape that the contract promises. @throws ZodError where it has another one */
export function writeFact({ type, subjectKind, subject, at, data }: Fact): ToldFact {
  const promised = eventData[type].parse(data)
  const timestamp = at.toISOString()
  const body = JSON.stringify({ type, timestamp, data: promised })
  return { eventId: `evt_${newUlid()}`, type, subjectKind, subject, seq: promised.seq, at: timestamp, body }
}
