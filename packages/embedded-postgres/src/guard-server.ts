import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'

// `cat` ends when our end of the pipe closes, and that happens however this process ends: no kill can prevent it.
const script = `
cat > /dev/null
lock="$1/cluster/postmaster.pid"
pid=$(head -n 1 "$lock" 2> /dev/null) && kill -QUIT "$pid"
tries=0
while [ -e "$lock" ] && kill -0 "$pid" && [ $tries -lt 200 ]; do sleep 0.05; tries=$((tries + 1)); done
rm -rf "$1"
`

export type Guard = { cleanUp(): Promise<void> }

/** Stops the server below this folder and removes the folder, on `cleanUp` or else when this process is gone. */
export function guardServer(home: string): Guard {
  const guard = spawn('/bin/sh', ['-c', script, 'sh', home], {
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
