'use client'

import type { UserDetail } from '@meridian/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useAnnounce } from '../../../ui/announcer.tsx'

/** What follows an act on a user: the page shows them as they now are, and the act is said aloud. */
export function useAfterAct(): (user: UserDetail, said: string) => Promise<void> {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  return (user, said) => {
    queryClient.setQueryData(trpc.user.detail.queryKey({ id: user.id }), user)
    announce(said)
    return queryClient.invalidateQueries(trpc.user.pathFilter())
  }
}
