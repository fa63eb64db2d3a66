'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePathname, useSearchParams } from 'next/navigation'
import { useTranslations } from 'next-intl'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useAnnounce } from '../../ui/announcer.tsx'

/** What a view keeps of an address: its filters and order, in one spelling, and never the place in the list. */
export function viewQueryOf(search: URLSearchParams | string): string {
  const kept = [...new URLSearchParams(search)].filter(([key, value]) => key !== 'cursor' && value !== '')
  return new URLSearchParams(kept.sort(([one], [other]) => one.localeCompare(other))).toString()
}

/** The views of the list that stands in the address, and which of them it shows. */
export function useSavedViews() {
  const trpc = useTRPC()
  const pathname = usePathname()
  const page = pathname.slice(1).replaceAll('/', '-')
  const query = viewQueryOf(useSearchParams())
  const views = useQuery({ ...trpc.view.list.queryOptions({ page }), staleTime: 60_000 })
  const items = views.data?.items ?? []
  return {
    page,
    query,
    items,
    failed: views.isError,
    active: items.find((view) => viewQueryOf(view.query) === query),
    hrefOf: (kept: string) => (kept === '' ? pathname : `${pathname}?${viewQueryOf(kept)}`),
  }
}

/** What can be done with a view; each says so when it is done, and then closes what asked for it. */
export function useViewActs(page: string, onDone: () => void) {
  const t = useTranslations('views')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const after = (said: 'saved' | 'edited' | 'removed') => async () => {
    await queryClient.invalidateQueries(trpc.view.list.queryFilter({ page }))
    announce(t(said))
    onDone()
  }
  return {
    save: useMutation(trpc.view.save.mutationOptions({ onSuccess: after('saved') })),
    edit: useMutation(trpc.view.edit.mutationOptions({ onSuccess: after('edited') })),
    remove: useMutation(trpc.view.remove.mutationOptions({ onSuccess: after('removed') })),
  }
}
