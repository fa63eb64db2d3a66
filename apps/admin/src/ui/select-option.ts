export type Option<Value extends string = string> = { value: Value; label: string }

/**
 * The next option whose label starts with what was typed, beginning after the chosen one and going round; null when a
 * key types nothing or no label starts so.
 */
export function seekOption<Value extends string>(
  options: readonly Option<Value>[],
  { after, start }: { after: Value; start: string },
): Value | null {
  if ([...start].length !== 1 || start.trim() === '') return null
  const here = options.findIndex((option) => option.value === after)
  const round = [...options.slice(here + 1), ...options.slice(0, here + 1)]
  const sought = start.toLocaleLowerCase()
  return round.find(({ label }) => label.toLocaleLowerCase().startsWith(sought))?.value ?? null
}
