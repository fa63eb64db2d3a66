import type { ApiScope } from '@meridian/contracts'
import { useTranslations } from 'next-intl'

/** Where the words of each scope stand: messages are looked up by paths, in which a colon has no place. */
export const scopeWords = {
  'entitlements:read': 'entitlements_read',
  'orders:read': 'orders_read',
  'grants:write': 'grants_write',
  'events:read': 'events_read',
  'imports:write': 'imports_write',
} as const satisfies Record<ApiScope, string>

/** What a key may do, in words. */
export function ScopeWords({ scopes }: { scopes: readonly ApiScope[] }) {
  const t = useTranslations('apiKeys')
  return scopes.map((scope) => t(`scopes.${scopeWords[scope]}`)).join(t('and'))
}
