import type { RequestMeta } from '../../audit/write-audit.ts'
import type { SignedInOperator } from '../../operators/sign-in.ts'
import type { Services } from '../../services.ts'
import type { Language } from '../problem.ts'

/** What a procedure knows of its caller. */
export type ConsoleContext = {
  services: Services
  from: RequestMeta
  language: Language
  /** Who is signed in: looked up once per request, by the first procedure that needs to know. */
  findSession: () => Promise<SignedInOperator | null>
}
