import { z } from 'zod'
import { apiScopes } from '../api-scopes.ts'
import { pageFields } from '../paging.ts'
import { isStorableText } from '../storable.ts'
import { lineOf } from '../text.ts'

/** How many keys may be in use at once: each is one system of the company. */
export const MOST_API_KEYS_IN_USE = 100

export const ApiScope = z.enum(apiScopes)
export type ApiScope = z.infer<typeof ApiScope>

/** In use, over by its own date, or revoked. */
export const ApiKeyState = z.enum(['active', 'expired', 'revoked'])
export type ApiKeyState = z.infer<typeof ApiKeyState>

/** A key as it is listed; its text is shown once, when it is made, and kept nowhere. */
export const ApiKeyRow = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The first characters of the key, by which its holder knows it again. */
  hint: z.string(),
  scopes: z.array(ApiScope),
  state: ApiKeyState,
  createdAt: z.date(),
  /** The e-mail address of who made it. */
  createdBy: z.string(),
  expiresAt: z.date().nullable(),
  /** To the minute; null before its first use. */
  lastUsedAt: z.date().nullable(),
  revokedAt: z.date().nullable(),
})
export type ApiKeyRow = z.infer<typeof ApiKeyRow>

export const ApiKeyListQuery = z.object({ isActive: z.boolean().default(true), ...pageFields })
export type ApiKeyListQuery = z.infer<typeof ApiKeyListQuery>

export const NewApiKey = z.object({
  name: lineOf(64).min(1).refine(isStorableText),
  scopes: z
    .array(ApiScope)
    .min(1)
    .max(apiScopes.length)
    .refine((scopes) => new Set(scopes).size === scopes.length, {
      params: { zh: '权限不能重复', en: 'name each scope once' },
    }),
  expiresAt: z.date().nullable().default(null),
})
export type NewApiKey = z.infer<typeof NewApiKey>

/** The one answer that holds the key itself. */
export const CreatedApiKey = z.object({ id: z.uuid(), key: z.string() })
export type CreatedApiKey = z.infer<typeof CreatedApiKey>

export const ApiKeyReference = z.object({ id: z.uuid() })
