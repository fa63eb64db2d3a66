import type { Check } from './check.ts'
import type { PhoneAnswer } from './phone.ts'
import { ProblemError } from './problem.ts'

/** What was answered; @throws ProblemError where somebody else answered, such as the sign-in page of a network. */
export function answered<Value>({ body }: PhoneAnswer, is: Check<Value>): Value {
  if (is(body)) return body
  throw new ProblemError('unreachable')
}
