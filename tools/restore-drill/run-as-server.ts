import { execFile } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { findAccount } from '@meridian/embedded-postgres/testing'

/** Runs a program as the server's own user, which root's servers need, and answers what it wrote. */
export async function runAsServer(program: string, args: readonly string[]): Promise<string> {
  const options = { ...findAccount(), cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } }
  const { stdout, stderr } = await promisify(execFile)(program, [...args], options).catch(
    (error: unknown) => {
      const said = error instanceof Error && 'stderr' in error ? `${String(error.stderr)}` : ''
      const printed = error instanceof Error && 'stdout' in error ? `${String(error.stdout)}` : ''
      throw new Error(`${program} ${args.join(' ')} failed:\n${said}${printed}`, { cause: error })
    },
  )
  return `${stdout}${stderr}`
}

/** Makes a folder that the server's user alone may enter. */
export function makeServersFolder(folder: string): string {
  const account = findAccount()
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o700)
  if (account) chownSync(folder, account.uid, account.gid)
  return folder
}
