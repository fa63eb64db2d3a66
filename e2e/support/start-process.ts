import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type OpenSocket, type Program, startProgram as start } from '@meridian/process'

export const checkout = fileURLToPath(new URL('../..', import.meta.url))

export type Running = Program & { file: string }
type Build = { file: string; env: Record<string, string>; ready: string; http?: OpenSocket }

/** Only what a program needs from the shell: nobody's own settings may change what the tests see. */
const bareEnvironment = (): Record<string, string> => {
  const { PATH = '', HOME = '', TMPDIR, LANG } = process.env
  return { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...(LANG && { LANG }), NODE_ENV: 'production' }
}

/** Starts a production build, on this socket when one is given, and waits until it answers. */
export async function startProgram({ file, env, ready, http }: Build): Promise<Running> {
  const program = await start({
    command: [`${checkout}${file}`],
    cwd: checkout,
    env: { ...bareEnvironment(), ...env },
    ready,
    ...(http && { sockets: { http } }),
  })
  return { ...program, file }
}

/** Runs a built command to its end and answers what it printed. */
export async function runToEnd(
  file: string,
  run: { args?: string[]; env: Record<string, string>; input?: string },
) {
  const child = spawn(process.execPath, [`${checkout}${file}`, ...(run.args ?? [])], {
    cwd: checkout,
    env: { ...bareEnvironment(), ...run.env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  child.stdin.end(run.input ?? '')
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${file} failed:\n${output}`)
  return output
}
