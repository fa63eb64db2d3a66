import { z } from 'zod'
import { consoleProblems } from './problems/console.ts'
import { identityProblems } from './problems/identity.ts'
import { personProblems } from './problems/person.ts'
import { requestProblems } from './problems/request.ts'
import { shopProblems } from './problems/shop.ts'

/** Every problem a client can meet: status numbers and their titles are written nowhere else. */
export const problems = {
  ...requestProblems,
  ...identityProblems,
  ...shopProblems,
  ...personProblems,
  ...consoleProblems,
}

export type ProblemCode = keyof typeof problems

/** RFC 9457 problem document, as every failing REST operation answers it. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  request_id: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  out_trade_no: z.string().optional(),
})
export type Problem = z.infer<typeof Problem>
