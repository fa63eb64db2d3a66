import { expect, test } from 'vitest'
import { mayOperator, OperatorRole, permissions, problems } from '../src/index.ts'

test('every problem has a status of its class and a title in both languages', () => {
  for (const [code, { http, zh, en }] of Object.entries(problems)) {
    expect(code).toMatch(/^[a-z_]+$/)
    expect(http).toBeGreaterThanOrEqual(400)
    expect(zh).toMatch(/[一-鿿]/)
    expect(en).toMatch(/^[ -~]+$/)
  }
})

test('the owner may do everything, the viewer nothing with an effect', () => {
  for (const permission of Object.keys(permissions) as (keyof typeof permissions)[]) {
    expect(mayOperator('owner', permission)).toBe(true)
    expect(mayOperator('viewer', permission)).toBe(false)
  }
  expect(OperatorRole.options).toEqual(['viewer', 'operator', 'finance', 'owner'])
})
