import { diagnosisConfig } from './examples.ts'
import type { TagWords } from './operation-words.ts'

export const diagnosis = {
  title: { zh: '诊断配置', en: 'Diagnosis configuration' },
  description: {
    zh: '设备可运行的程序和身体部位，由运营发布。',
    en: 'The programs that devices run, and body parts, as operators published them.',
  },
  operations: {
    'GET /diagnosis-config': {
      operationId: 'getDiagnosisConfig',
      summary: { zh: '读取诊断配置', en: 'Read the diagnosis configuration' },
      description: {
        zh: '当前发布的版本。登录者无权运行的高级程序为 `locked`，不含参数。每次启动时带 `If-None-Match` 读取：未变时回答 304。答案因人而异，订阅改变后也会改变。',
        en: 'The version that is published. Premium programs the person may not run are `locked` and come without parameters. Read it at each start with `If-None-Match`: 304 says that nothing changed. The answer differs per person and changes with the subscription.',
      },
      answers: {
        200: { zh: '配置。', en: 'The configuration.' },
        304: { zh: '与您所持的相同。', en: 'The same as what you have.' },
      },
      answer: diagnosisConfig,
    },
  },
} as const satisfies TagWords
