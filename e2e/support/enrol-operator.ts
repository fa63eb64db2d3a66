import { Enrolment, OperatorSession } from '@meridian/contracts'
import { codeAt } from './authenticator.ts'
import { type ConsoleApi, callConsole } from './call-console.ts'

/** Sets an authenticator up as the console does. Answers its secret. */
export async function enrolOperator(
  { email, password }: { email: string; password: string },
  api: ConsoleApi,
): Promise<string> {
  const signedIn = await callConsole(api, { procedure: 'operator.signIn', input: { email, password } })
  const { token: session } = OperatorSession.pick({ token: true }).parse(signedIn)
  const started = await callConsole(api, { procedure: 'operator.startEnrolment', session })
  const { secret, ticket } = Enrolment.parse(started)
  const input = { ticket, code: codeAt(secret) }
  await callConsole(api, { procedure: 'operator.confirmEnrolment', input, session })
  await callConsole(api, { procedure: 'operator.signOut', session })
  return secret
}
