import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'

export type Guard = { cleanUp(): Promise<void> }

/**
 * Runs a shell script that waits for the end of its input (`cat`) and then cleans up. That end comes on `cleanUp`, or
 * else when this process is gone: the pipe closes however it ends, and no kill can prevent it.
 */
export function startGuard(script: string, words: readonly string[]): Guard {
  const guard = spawn('/bin/sh', ['-c', script, 'sh', ...words], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  })
  const gone = once(guard, 'exit')
  guard.unref()
  if (guard.stdin instanceof Socket) guard.stdin.unref()
  return {
    async cleanUp() {
      guard.ref()
      guard.stdin.end()
      await gone
    },
  }
}
