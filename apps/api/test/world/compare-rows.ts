import { answers, compareColumns } from '@meridian/db'

const differences = new Set<string>()

// Heard once per worker, whose files share their modules.
answers.on('answered', ({ query: { name, columns }, fields, rows }) => {
  if (!columns) return
  for (const difference of compareColumns(columns, fields, rows)) differences.add(`${name}: ${difference}`)
})

/** How the rows that statements answered since the last call differ from what these declare. */
export function takeDifferences(): string[] {
  const taken = [...differences]
  differences.clear()
  return taken
}
