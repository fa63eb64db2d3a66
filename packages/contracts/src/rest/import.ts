import { z } from 'zod'

/** What a file of another system holds (SPEC §17). */
export const ImportKind = z.enum(['subscribers', 'orders', 'bindings'])
export type ImportKind = z.infer<typeof ImportKind>

/** `checked` is the end of a dry run; `faulty` of a file with faults, of which nothing is written. */
export const ImportState = z.enum(['waiting', 'checking', 'writing', 'checked', 'faulty', 'done', 'undone'])
export type ImportState = z.infer<typeof ImportState>

/** The largest file that is taken over HTTP. */
export const IMPORT_LIMIT_BYTES = 64 * 1024 * 1024
/** How many files may wait to be taken over: more is 429 until one of them is. */
export const MOST_WAITING_IMPORTS = 10

/** No more faults of a file are listed. */
export const IMPORT_LIMIT_FAULTS = 1_000

export const importColumns = {
  subscribers: ['source', 'source_id', 'openid', 'nickname', 'plan_code', 'expires_at', 'days', 'features'],
  orders: [
    ...['source', 'source_id', 'openid', 'plan_code', 'amount_fen', 'transaction_id', 'out_trade_no'],
    ...['paid_at', 'days'],
  ],
  bindings: ['source', 'source_id', 'openid', 'serial_number', 'bound_at'],
} as const satisfies Record<ImportKind, readonly string[]>

/** Columns that a file of the kind must have; each line must fill them. */
export const importRequired = {
  subscribers: ['source', 'source_id', 'openid'],
  orders: ['source', 'source_id', 'openid', 'plan_code', 'amount_fen', 'paid_at'],
  bindings: importColumns.bindings,
} as const satisfies Record<ImportKind, readonly string[]>

export const importFaultWords = {
  unreadable: ['不是 UTF-8 的 CSV，或某行过长', 'is no CSV in UTF-8, or a line is too long'],
  cells_count: ['单元格数与表头不同', 'has more or fewer cells than the first line'],
  column_missing: ['缺少此列', 'the column is missing'],
  column_unknown: ['不认识此列', 'the column is not known'],
  column_repeated: ['列名重复', 'the column stands there twice'],
  value_missing: ['不能为空', 'must not be empty'],
  source_form: [
    '须为 1–64 个字母、数字、“.”“_”“-”',
    'takes 1 to 64 letters, digits, dots, underscores, hyphens',
  ],
  text_form: ['过长，或含有控制字符', 'is too long, or holds control characters'],
  openid_form: ['不是 openid', 'is no openid'],
  instant_form: [
    '须为 2000 年起带时区的 RFC 3339 时间',
    'takes an RFC 3339 time with its zone, from 2000 on',
  ],
  days_form: ['须为 0–3660 的整数', 'takes an integer from 0 to 3660'],
  amount_form: ['须为 1–100000000 的整数（分）', 'takes an integer from 1 to 100000000 (fen)'],
  features_form: ['须为以空格或分号分隔的功能代码', 'takes features parted by spaces or semicolons'],
  transaction_form: ['须为 1–64 个字母或数字', 'takes 1 to 64 letters or digits'],
  serial_number_form: ['须为 4–32 个字母、数字、“-”', 'takes 4 to 32 letters, digits, hyphens'],
  expires_at_or_days: ['expires_at 与 days 必须且只能填一个', 'give exactly one of expires_at and days'],
  in_future: ['不能在将来', 'must not be in the future'],
  too_far: ['距今超过 3660 天', 'is more than 3660 days from now'],
  source_id_repeated: ['文件中已有同一来源的此编号', 'an earlier line has it of the same source'],
  plan_unknown: ['没有此套餐', 'there is no such plan'],
  number_repeated: ['文件中已有此订单号', 'an earlier line has this number'],
  number_taken: ['系统中已有此订单号', 'an order here has this number'],
  transaction_repeated: ['文件中已有此交易号', 'an earlier line has this transaction'],
  has_later_days: [
    '该用户在此之后已有天数：days 写 0，剩余天数按用户导入',
    'this person has days here from later on: write days 0, and import what is left of the days as a subscriber',
  ],
  transaction_taken: ['系统中已有此交易号', 'a payment here has this transaction'],
  user_banned: ['该用户注销前已被停用', 'the account was disabled before it was erased'],
  device_repeated: ['文件中已有此设备', 'an earlier line has this device'],
  device_taken: ['设备已绑定给他人', 'the device is bound to somebody else'],
  device_disabled: ['设备已停用', 'the device is disabled'],
  device_not_registered: ['设备不在库存中', 'the device is not in the inventory'],
} as const satisfies Record<string, readonly [zh: string, en: string]>

export type ImportFaultCode = keyof typeof importFaultWords

const isFaultCode = (code: unknown): code is ImportFaultCode =>
  typeof code === 'string' && Object.hasOwn(importFaultWords, code)

/** A fault as it is kept; `column` is null where the line as a whole is wrong. */
export const ImportFault = z.object({
  line: z.int(),
  column: z.string().nullable(),
  code: z.custom<ImportFaultCode>(isFaultCode),
})
export type ImportFault = z.infer<typeof ImportFault>

export const ImportQuery = z.object({
  kind: ImportKind,
  /** Checks the file and says what it would bring, without writing any of it. */
  dry_run: z.enum(['true', 'false', '1', '0', '']).optional(),
})
export type ImportQuery = z.infer<typeof ImportQuery>

export const ImportReference = z.object({ id: z.uuid() })
export const ImportAnswer = z.object({ id: z.uuid() })

/** How far an import is, and what it came to: what was written, after a dry run what would be. */
export const ImportReport = z.object({
  id: z.uuid(),
  state: ImportState,
  lines: z.int().nonnegative(),
  users: z.int().nonnegative(),
  days: z.int().nonnegative(),
  fen: z.int().nonnegative(),
  faults: z.array(z.object({ line: z.int(), column: z.string().nullable(), message: z.string() })),
})
export type ImportReport = z.infer<typeof ImportReport>
