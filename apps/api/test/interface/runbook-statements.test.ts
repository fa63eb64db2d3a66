import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { useTestWorld } from '../world/use-opened.ts'
import { codeOf, readPage, root } from './read-page.ts'

const world = useTestWorld()

const statements = readdirSync(new URL('docs/runbook/', root))
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) =>
    readPage(`docs/runbook/${file}`).sections.flatMap(({ blocks }) =>
      blocks.filter(({ language }) => language === 'sql').map((block) => codeOf(block).join('\n')),
    ),
  )

test('every statement that the runbook shows is one that the database takes', async () => {
  const different = [...new Set(statements)]
  expect(different.length).toBeGreaterThan(2)
  for (const statement of different) await world.query(statement)
})
