import { fileURLToPath } from 'node:url'

const environment: Readonly<Record<string, string | undefined>> = { ...process.env }

/** What the drills take from their environment; everything else is an argument of the command. */
export const config = {
  searchPath: environment['PATH'] ?? '',
  home: environment['HOME'] ?? '/',
  checkout: fileURLToPath(new URL('../../', import.meta.url)),
}
