import type { NoteRow } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { noteAnchor } from '../../paths.ts'

/** Counts a note as seen, where it mentions the operator and was not. */
function useSeen(id: string | null): void {
  const { data } = useQuery({ ...useTRPC().note.mentions.queryOptions(), enabled: id !== null })
  const isNew = id !== null && data?.items.some((note) => note.id === id && note.seenAt === null)
  const { press } = useAct({ call: (api) => api.note.seeMentions.mutate, invalidates: ['note', 'inbox'] })
  const told = useRef<string | null>(null)
  useEffect(() => {
    if (!isNew || told.current === id) return
    told.current = id
    press({ id })
  }, [isNew, id, press])
}

/**
 * The note that the address names, once it is among those that are shown: it is brought into view, and counts as seen by
 * whom it mentions.
 */
export function useMeantNote(notes: readonly Pick<NoteRow, 'id'>[]): string | null {
  const [meant, setMeant] = useState<string | null>(null)
  useEffect(() => {
    const found = notes.find(({ id }) => location.hash === `#${noteAnchor(id)}`)
    if (!found || found.id === meant) return
    setMeant(found.id)
    document.getElementById(noteAnchor(found.id))?.scrollIntoView({ block: 'center' })
  }, [notes, meant])
  useSeen(meant)
  return meant
}
