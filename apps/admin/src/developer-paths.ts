import type { ImportKind } from '@meridian/contracts'

/** The addresses of the developers' pages, apart from those that every page of the console loads. */
export const developerPaths = {
  webhooks: () => '/developers/webhooks',
  webhook: ({ id }: { id: string }) => `/developers/webhooks/${encodeURIComponent(id)}`,
  webhookDelivery: ({ id }: { id: string }) => `/developers/deliveries/${encodeURIComponent(id)}`,
  imports: () => '/developers/imports',
  importFile: (asked: { kind: ImportKind; dryRun: boolean; fileName: string }) =>
    `/console/imports/files?${new URLSearchParams({ ...asked, dryRun: String(asked.dryRun) })}`,
}
