import { config } from '../config.ts'
import type { Language } from '../messages/languages.ts'
import { callerOf } from '../session/caller.ts'
import { signConsoleToken } from '../session/console-token.ts'
import { REQUEST_ID_HEADER } from './request-id.ts'

type Opening = {
  /** The browser's request, or what `headers()` gives of it. */
  headers: { get(name: string): string | null }
  operatorToken: string | null
  language: Language
  requestId: string
}

/** The headers with which the console knocks at the API's private door. */
export function apiHeaders({ headers, operatorToken, language, requestId }: Opening): Record<string, string> {
  return {
    'x-console-token': signConsoleToken(callerOf(headers), {
      secret: config().authSecrets[0],
      now: new Date(),
    }),
    'accept-language': language,
    [REQUEST_ID_HEADER]: requestId,
    ...(operatorToken && { authorization: `Bearer ${operatorToken}` }),
  }
}
