import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { englishNames } from '../src/phone/english-names.ts'

const file = fileURLToPath(new URL('../../../packages/db/src/seed-defaults.ts', import.meta.url))

test('the phone has an English name for every plan, badge, program, body part and contraindication it begins with', () => {
  const source = readFileSync(file, 'utf8')
  const named = /(?:name|badge): '([^']+)'/g
  const contraindications = /const contraindications = \[(.*?)\]/s.exec(source)?.[1] ?? ''
  const names = [
    ...[...source.matchAll(named)].map(([, name = '']) => name),
    ...[...contraindications.matchAll(/'([^']+)'/g)].map(([, name = '']) => name),
  ]
  expect(names.length).toBeGreaterThanOrEqual(15)
  expect(names.filter((name) => englishNames[name] === undefined)).toEqual([])
})
