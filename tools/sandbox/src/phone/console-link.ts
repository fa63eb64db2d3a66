import { make } from './page.ts'
import { text } from './texts.ts'

let consoleUrl: string | null = null

/** Asks the sandbox where the console runs, once per page. */
export async function findConsole(): Promise<void> {
  const response = await fetch('/phone/settings').catch(() => null)
  const settings: { consoleUrl?: string } = response?.ok ? await response.json() : {}
  consoleUrl = settings.consoleUrl ?? null
}

/** Where something is shown in the running console; null where its address is not known. */
export const consoleAddress = (path: string): string | null => consoleUrl && `${consoleUrl}${path}`

/** A link to a page of the running console; nothing where its address is not known. */
export function linkToConsole(path: string, about: string): Node[] {
  const address = consoleAddress(path)
  if (address === null) return []
  const link = make('a', 'console-link', text('inConsole'))
  link.setAttribute('href', address)
  link.setAttribute('target', '_blank')
  link.setAttribute('rel', 'noopener')
  link.ariaLabel = text('inConsoleNamed', { about })
  return [link]
}
