'use client'

import type { DeviceDetail } from '@meridian/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useAnnounce } from '../../../ui/announcer.tsx'

/** What follows an act on a device: the page shows it as it now is, and the act is said aloud. */
export function useAfterAct(): (device: DeviceDetail, said: string) => Promise<void> {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  return (device, said) => {
    queryClient.setQueryData(trpc.device.detail.queryKey({ serialNumber: device.serialNumber }), device)
    announce(said)
    return queryClient.invalidateQueries(trpc.device.pathFilter())
  }
}
