'use client'

import type { SearchHit } from '@meridian/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../../api-client/api-provider.tsx'
import { useFailure } from '../../api-client/use-failure.ts'
import { isSearchable } from './hits.ts'

export type Search = { hits: readonly SearchHit[]; more: boolean; searching: boolean; failure: string | null }

const none: readonly SearchHit[] = []

/** What a text leads to; asked for as soon as it can be an id. Never the hits of another text. */
export function useSearch(text: string): Search {
  const trpc = useTRPC()
  const failureOf = useFailure()
  const wanted = text.trim()
  const enabled = isSearchable(wanted)
  const search = useQuery({ ...trpc.search.find.queryOptions({ text: wanted }), enabled, staleTime: 5_000 })
  return {
    hits: search.data?.hits ?? none,
    more: search.data?.more ?? false,
    searching: enabled && search.isPending,
    failure: failureOf(search.error)?.title ?? null,
  }
}
