import { expect } from 'vitest'
import { type Answer, codeOf } from './phone.ts'

/** Expects this status and this problem code. */
export const expectRefused = (answer: Answer, status: number, code: string): void =>
  expect({ status: answer.status, code: codeOf(answer) }).toEqual({ status, code })
