/**
 * Tells the processes and files of the tests something by a variable of the environment from now on. Answers how to go
 * back to what it was: a test with a server of its own leaves that of its process to the files after it.
 */
export function announce(variable: string, value: string): () => void {
  const before = process.env[variable]
  process.env[variable] = value
  return () => {
    if (before === undefined) delete process.env[variable]
    else process.env[variable] = before
  }
}
