import type { NewTag, TagChip, TaggedSubject } from '@meridian/contracts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useFailure, useTRPC, useTRPCClient } from '../../api-client/api-provider.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'

type Tags = { items: TagChip[] }
type Change = { way: 'set' | 'take'; tag: TagChip } | { way: 'make'; tag: NewTag }

export const useTagsOf = (subject: TaggedSubject) => useQuery(useTRPC().tag.of.queryOptions({ subject }))

/** How the page names a tag that the API has not made yet. */
const UNSAVED = 'unsaved'

const withChange = ({ items }: Tags, change: Change): Tags => {
  if (change.way === 'take') return { items: items.filter(({ id }) => id !== change.tag.id) }
  const tag = change.way === 'make' ? { id: UNSAVED, isArchived: false, ...change.tag } : change.tag
  return { items: [...items.filter(({ id }) => id !== tag.id), tag] }
}

/**
 * Sets and takes tags of a thing. That is shown at once, because it changes nothing but itself; where the API refuses it,
 * it is undone and why is said.
 */
export function useTagActs(subject: TaggedSubject) {
  const t = useTranslations('tags')
  const api = useTRPCClient()
  const trpc = useTRPC()
  const cache = useQueryClient()
  const announce = useAnnounce()
  const failureOf = useFailure()
  const key = trpc.tag.of.queryKey({ subject })
  const { mutate } = useMutation({
    mutationFn: (change: Change): Promise<Tags> => {
      if (change.way === 'make') return api.tag.setNew.mutate({ subject, ...change.tag })
      return api.tag[change.way].mutate({ subject, id: change.tag.id })
    },
    onMutate: async (change) => {
      await cache.cancelQueries({ queryKey: key })
      const before = cache.getQueryData(key)
      cache.setQueryData(key, (tags: Tags | undefined) => tags && withChange(tags, change))
      return { before }
    },
    onSuccess: (tags, { way, tag: { label } }) => {
      cache.setQueryData(key, tags)
      announce(t(way === 'take' ? 'taken' : 'set', { label }))
    },
    onError: (error, _, shown) => {
      cache.setQueryData(key, shown?.before)
      const failure = failureOf(error)
      announce(failure?.faults?.join(' ') || failure?.title || '')
    },
    onSettled: () =>
      Promise.all(
        [trpc.tag, trpc[subject.kind].list, trpc.customer].map((noun) =>
          cache.invalidateQueries(noun.pathFilter()),
        ),
      ),
  })
  return {
    set: (tag: TagChip) => mutate({ way: 'set', tag }),
    make: (tag: NewTag) => mutate({ way: 'make', tag }),
    take: (tag: TagChip) => mutate({ way: 'take', tag }),
  }
}
