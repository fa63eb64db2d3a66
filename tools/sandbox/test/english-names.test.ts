import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { englishNames } from '../src/phone/english-names.ts'

const sourceOf = (file: string) =>
  readFileSync(fileURLToPath(new URL(`../../../packages/db/src/${file}`, import.meta.url)), 'utf8')

test('the phone has an English name for every plan, badge, program, body part and contraindication it begins with', () => {
  const plans = /const defaultPlans = \[.*?\n\]/s.exec(sourceOf('seed-defaults.ts'))?.[0] ?? ''
  const named = /(?:name|badge): '([^']+)'/g
  const contraindications =
    /const contraindications = \[(.*?)\]/s.exec(sourceOf('sample-content.ts'))?.[1] ?? ''
  const names = [
    ...[...`${plans}${sourceOf('sample-content.ts')}`.matchAll(named)].map(([, name = '']) => name),
    ...[...contraindications.matchAll(/'([^']+)'/g)].map(([, name = '']) => name),
  ]
  expect(names.length).toBeGreaterThanOrEqual(15)
  expect(names.filter((name) => englishNames[name] === undefined)).toEqual([])
})
