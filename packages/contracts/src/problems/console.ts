import type { ProblemKind } from './problem-kind.ts'

/** Of what operators change. */
export const consoleProblems = {
  changed_meanwhile: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '内容已被他人修改，请刷新后重试',
    en: 'Somebody else changed it meanwhile',
  },
  code_taken: { http: 409, trpc: 'CONFLICT', zh: '代码已被使用', en: 'The code is taken' },
  already_waiting: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '已有一项变更在等待另一位人员',
    en: 'A change of this is waiting for a second person already',
  },
  last_owner: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '至少要保留一位可用的所有者',
    en: 'At least one owner has to remain',
  },
  email_taken: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '该邮箱已有账号',
    en: 'There is an account with this address',
  },
} as const satisfies Record<string, ProblemKind>
