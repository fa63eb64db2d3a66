import { ConfigError } from '../config.ts'

/** Runs a command to its end: what goes wrong is one line per problem on stderr and exit code 1. */
export async function runCommand(name: string, command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    const lines =
      error instanceof ConfigError ? error.problems : [error instanceof Error ? error.message : 'failed']
    for (const line of lines) process.stderr.write(`${name}: ${line}\n`)
    process.exitCode = 1
  }
  // The migration engine leaves a timer behind; nothing is waiting for it once everything is said.
  process.stdout.write('', () => process.exit())
}
