import { eventId, importId, outTradeNo, reportHead, userId } from './examples.ts'
import type { Told } from './operation-words.ts'

/** What parameters mean, wherever they are taken. */
export const parameterWords: Readonly<Record<string, Told & { example: unknown }>> = {
  limit: {
    zh: '一页最多几行，1 至 100。',
    en: 'How many rows a page holds at most, 1 to 100.',
    example: 20,
  },
  cursor: {
    zh: '上一页的 `next_cursor`，原样传回；不要解析。',
    en: '`next_cursor` of the page before, unchanged; do not look into it.',
    example: 'eyJhdCI6IjIwMjYtMTEtMjAifQ',
  },
  out_trade_no: { zh: '订单号。', en: 'The number of the order.', example: outTradeNo },
  id: { zh: '报告的编号。', en: 'The id of the report.', example: reportHead.id },
  kind: { zh: '只要这种报告。', en: 'Reports of this kind only.', example: 'scan' },
  from: {
    zh: '自此时起的（含），RFC 3339。',
    en: 'At this time or later, RFC 3339.',
    example: '2026-11-01T00:00:00Z',
  },
  to: {
    zh: '在此时之前的（不含），RFC 3339。',
    en: 'Before this time, RFC 3339.',
    example: '2026-12-01T00:00:00Z',
  },
  user_id: { zh: '用户的编号。', en: 'The id of a user.', example: userId },
  openid: {
    zh: '小程序的 openid。',
    en: 'The openid in our mini-program.',
    example: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o',
  },
  serial_number: {
    zh: '已绑定设备的序列号。',
    en: 'The serial number of a bound device.',
    example: 'SN-7F3A91C2',
  },
  dry_run: {
    zh: '`true`：只检查并给出合计，不写入。',
    en: '`true`: check the file and add it up, and write nothing.',
    example: 'true',
  },
  after: {
    zh: '已取走的最后一个事件的编号；省略则从最早保留的开始。',
    en: 'The id of the last event you took; left out, from the oldest that is kept.',
    example: eventId,
  },
  status: { zh: '只要这种状态。', en: 'Of this status only.', example: 'paid' },
  channel: { zh: '只要这个支付渠道。', en: 'Of this payment channel only.', example: 'jsapi' },
  'x-client-platform': {
    zh: '手机系统，即 `wx.getDeviceInfo().platform`；缺少或未知视为 `other`。',
    en: 'The system of the phone, `wx.getDeviceInfo().platform`; absent or unknown is `other`.',
    example: 'ios',
  },
  'idempotency-key': {
    zh: '每次购买意图一个，重试沿用；1 至 64 个字母、数字、`_` 或 `-`。',
    en: 'One for each intention to buy, kept for its retries; 1 to 64 letters, digits, `_` or `-`.',
    example: 'buy-7f3a91c2',
  },
}

/** The same where one operation means something else by a name, by its `operationId`. */
export const ownParameterWords: typeof parameterWords = {
  'startImport kind': { zh: '文件的内容。', en: 'What the file holds.', example: 'subscribers' },
  'getImport id': { zh: '导入的编号。', en: 'The id of the import.', example: importId },
}
