import { report, reportHead, reportRequest } from './examples.ts'
import type { TagWords } from './operation-words.ts'

export const reports = {
  title: { zh: '报告', en: 'Reports' },
  description: {
    zh: '扫描和理疗的报告。没有 `report_detail` 的人读不到测量值：`locked` 为 true，且没有 `measurements`。',
    en: 'Reports of scans and treatments. Who lacks the feature `report_detail` is not told the measurements: `locked` is true and there is no `measurements`.',
  },
  operations: {
    'GET /reports': {
      operationId: 'listReports',
      summary: { zh: '列出本人报告', en: 'List your reports' },
      description: {
        zh: '由新到旧，不含测量值，过长的 `summary` 为 `{}`；可按种类和开始时间筛选（含 `from`，不含 `to`）。',
        en: 'Newest first, without measurements, a long `summary` as `{}`; by kind and by when they started (`from` included, `to` not).',
      },
      answers: { 200: { zh: '一页报告。', en: 'A page of reports.' } },
      answer: { items: [reportHead], next_cursor: null },
    },
    'POST /reports': {
      operationId: 'createReport',
      summary: { zh: '保存报告', en: 'Store a report' },
      description: {
        zh: '保存一份报告。可重复调用：同一 `client_report_id` 得到先前保存的报告（200），所以没有收到回答时可放心重发。正文最多 256 KiB。使用高级程序的理疗报告要求功能 `manual_treatment`。每人每分钟 20 次。',
        en: 'Stores a report. Safe to repeat: the same `client_report_id` gets what was stored before (200), so send it again whenever an answer was lost. A body of at most 256 KiB. A treatment by a premium program takes the feature `manual_treatment`. 20 calls a minute and person.',
      },
      answers: {
        200: { zh: '先前已保存。', en: 'It was stored before.' },
        201: { zh: '刚刚保存。', en: 'Stored just now.' },
      },
      request: reportRequest,
      answer: report,
    },
    'GET /reports/{id}': {
      operationId: 'getReport',
      summary: { zh: '读取一份报告', en: 'Read a report' },
      description: {
        zh: '一份报告，包括测量值（若未锁定）。可能较大。',
        en: 'A report with its measurements, unless it is locked. It may be large.',
      },
      answers: { 200: { zh: '报告。', en: 'The report.' } },
      answer: report,
    },
    'DELETE /reports/{id}': {
      operationId: 'deleteReport',
      summary: { zh: '删除报告', en: 'Delete a report' },
      description: {
        zh: '永久删除本人的一份报告。再次删除回答 `report_not_found`。',
        en: "Deletes one of the person's own reports for good. A second time is answered by `report_not_found`.",
      },
      answers: { 204: { zh: '已删除。', en: 'Deleted.' } },
    },
  },
} as const satisfies TagWords
