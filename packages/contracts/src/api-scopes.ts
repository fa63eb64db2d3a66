/** What a key of another system may be allowed (SPEC §17); a constant of the console too, so it needs no schema library. */
export const apiScopes = [
  'entitlements:read',
  'orders:read',
  'grants:write',
  'events:read',
  'imports:write',
] as const
export type ApiScopeName = (typeof apiScopes)[number]
