import { runToEnd } from './run-program.ts'

/**
 * Whether systemd takes these unit files, with the units of these folders beside them. A line that it ignores ends with
 * code 0: whatever it says is a fault.
 * @throws Error with what it said
 */
export async function verifyUnits(files: readonly string[], unitPath: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await runToEnd(
    ['systemd-analyze', 'verify', '--man=no', '--recursive-errors=no', ...files],
    { env: { SYSTEMD_UNIT_PATH: searchPathOf(unitPath) } },
  )
  const said = `${stdout}${stderr}`.trim()
  if (code !== 0 || said !== '') throw new Error(said || `systemd-analyze ended with ${code}`)
}

/** These folders first, then those of this machine, which the empty last part stands for. */
export const searchPathOf = (folders: readonly string[]): string => [...folders, ''].join(':')
