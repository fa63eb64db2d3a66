import { diffDiagnosis } from '@meridian/contracts'
import { expect, test } from 'vitest'
import { partNames } from '../src/features/diagnosis/diagnosis-words.ts'

test('a body part is called as the changes leave it', () => {
  const before = { body_parts: [{ code: 'neck', name: '颈' }], programs: [] }
  const after = {
    body_parts: [
      { code: 'neck', name: '颈部' },
      { code: 'calf', name: '小腿' },
    ],
    programs: [],
  }
  const names = partNames(undefined, diffDiagnosis(before, after))
  expect([...names]).toEqual([
    ['neck', '颈部'],
    ['calf', '小腿'],
  ])
})
