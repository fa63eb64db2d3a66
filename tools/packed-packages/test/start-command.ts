import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'

export type Sandbox = { program: ChildProcess; url: string; settingsFile: string }

/** Starts the installed command on a free port and reads from what it prints where it is. */
export async function startCommand(project: string, ...words: string[]): Promise<Sandbox> {
  const command = path.join(project, 'node_modules/.bin/meridian-sandbox')
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const program = spawn(command, ['--port', '0', ...words], { cwd: project, stdio: [...stdio] })
  const lines: string[] = []
  for await (const line of createInterface({ input: program.stdout })) {
    lines.push(line)
    if (lines.length === 2) break
  }
  const [, url = ''] = /^Sandbox: (\S+)/.exec(lines[0] ?? '') ?? []
  const [, settingsFile = ''] = /settings of (.+)$/.exec(lines[1] ?? '') ?? []
  return { program, url, settingsFile }
}
