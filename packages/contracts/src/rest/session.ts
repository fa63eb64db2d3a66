import { z } from 'zod'

export const LoginRequest = z.object({ code: z.string().min(1).max(256) })
export const RefreshRequest = z.object({ refresh_token: z.string().min(1).max(256) })

export const TokenPair = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int(),
})
export type TokenPair = z.infer<typeof TokenPair>

export const Me = z.object({
  id: z.uuid(),
  nickname: z.string().nullable(),
  avatar_url: z.string().nullable(),
  created_at: z.iso.datetime(),
})
export type Me = z.infer<typeof Me>
