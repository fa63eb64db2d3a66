import { type ApiProblem, problemIn } from './problem.ts'

/** Why a file was not taken or given, in the shape of every other refusal; no data when the API did not get to answer. */
class FileRefused extends Error {
  readonly data: { problem: ApiProblem } | undefined

  constructor(page: unknown) {
    super('a file was refused')
    const problem = problemIn(page)
    this.data = problem ? { problem } : undefined
  }
}

/**
 * Sends or asks for a file through this console's own origin.
 * @throws FileRefused when the answer is not the one hoped for, whatever the page it comes with
 */
export async function askForFile(path: string, init: RequestInit): Promise<Response> {
  const answer = await fetch(path, { method: 'POST', ...init }).catch(() => null)
  if (answer?.ok) return answer
  throw new FileRefused(await answer?.json().catch(() => null))
}
