import type { NoteRow, SubjectReference } from '@meridian/contracts'
import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useTRPC, useTRPCClient } from '../../api-client/api-provider.tsx'
import { useConsole } from '../../session/operator-context.tsx'
import { useClock } from '../../ui/date-time.tsx'
import type { Written } from './note-composer.tsx'

type Page = { items: NoteRow[]; nextCursor: string | null; previousCursor: string | null }
type Pages = InfiniteData<Page, string | null>

/** How the list names a note that the API has not taken yet. */
const UNSAVED = 'unsaved'
export const isUnsaved = ({ id }: Pick<NoteRow, 'id'>): boolean => id === UNSAVED

const FEW = 10

const useNotesOptions = (subject: SubjectReference) =>
  useTRPC().note.list.infiniteQueryOptions(
    { subject, limit: FEW },
    { getNextPageParam: ({ nextCursor }: Page) => nextCursor },
  )

/** The notes on a thing, the newest first, read on by pages. */
export const useNotes = (subject: SubjectReference) => useInfiniteQuery(useNotesOptions(subject))

/** The pages with what became of the first one. */
const withFirst = (pages: Pages | undefined, change: (items: NoteRow[]) => NoteRow[]): Pages | undefined =>
  pages && {
    ...pages,
    pages: pages.pages.map((page, index) => (index === 0 ? { ...page, items: change(page.items) } : page)),
  }

/**
 * Saves a note. It is shown at once, because it changes nothing but the list it stands in; where the API refuses it, it
 * goes from the list again and `onFailure` gets what was written.
 */
export function useSaveNote(
  subject: SubjectReference,
  { onFailure }: { onFailure: (written: Written, error: unknown) => void },
) {
  const api = useTRPCClient()
  const trpc = useTRPC()
  const cache = useQueryClient()
  const now = useClock()
  const { operator } = useConsole()
  const { queryKey: key } = useNotesOptions(subject)
  const put = (change: (items: NoteRow[]) => NoteRow[]) =>
    cache.setQueryData<Pages>(key, (pages) => withFirst(pages, change))
  return useMutation({
    mutationFn: ({ text, mentions }: Written) => api.note.write.mutate({ subject, text, mentions }),
    onMutate: async ({ text, names }) => {
      await cache.cancelQueries({ queryKey: key })
      const author = operator.name || operator.email
      const shown = {
        author,
        text,
        mentions: names,
        createdAt: now,
        withdrawnAt: null,
        withdrawableUntil: null,
      }
      put((items) => [{ id: UNSAVED, ...shown }, ...items])
    },
    onSuccess: (saved) => put((items) => items.map((item) => (isUnsaved(item) ? saved : item))),
    onError: (error, written) => {
      put((items) => items.filter((item) => !isUnsaved(item)))
      onFailure(written, error)
    },
    onSettled: () =>
      Promise.all([trpc.note, trpc.customer].map((noun) => cache.invalidateQueries(noun.pathFilter()))),
  })
}
