import { fileURLToPath } from 'node:url'
import { type OpenSocket, type Program, runToEnd as run, startProgram as start } from '@meridian/process'

export const checkout = fileURLToPath(new URL('../..', import.meta.url))

export type Running = Program & { file: string }
type Build = { file: string; env: Record<string, string>; ready: string; http?: OpenSocket }

/** Only what a program needs from the shell: nobody's own settings may change what the tests see. */
const bareEnvironment = (): Record<string, string> => {
  const { PATH = '', HOME = '', TMPDIR, LANG } = process.env
  return { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...(LANG && { LANG }), NODE_ENV: 'production' }
}

/** Where a build is in a release. */
const places = [
  ['apps/api/dist/', 'dist/api/'],
  ['apps/admin/start.mjs', 'dist/console/server/serve-console.js'],
  ['tools/sandbox/dist/', 'dist/sandbox/'],
] as const

/** `npm test` makes a release before, and tests what ships; others run the builds that it is made of. */
function programFile(file: string): string {
  if (process.env['MERIDIAN_RELEASE'] === undefined) return `${checkout}${file}`
  const place = places.find(([built]) => file.startsWith(built))
  if (place === undefined) throw new Error(`${file} is in no release`)
  const [built, shipped] = place
  return `${checkout}${shipped}${file.slice(built.length)}`
}

/** Starts a production build, on this socket when one is given, and waits until it answers. */
export async function startProgram({ file, env, ready, http }: Build): Promise<Running> {
  const program = await start({
    command: [programFile(file)],
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
  { args = [], env, ...input }: { args?: string[]; env: Record<string, string>; input?: string },
) {
  const command = [programFile(file), ...args]
  const { code, stdout, stderr } = await run({
    command,
    cwd: checkout,
    env: { ...bareEnvironment(), ...env },
    ...input,
  })
  if (code !== 0) throw new Error(`${file} failed:\n${stdout}${stderr}`)
  return `${stdout}${stderr}`
}
