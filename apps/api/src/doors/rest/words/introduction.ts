import { problems } from '@meridian/contracts'
import type { Language } from '../../problem.ts'
import type { Told } from './operation-words.ts'
import { type RestCode, remedies } from './remedies.ts'

const opening: Told = {
  zh: `可穿戴设备的订阅与设备接口，供小程序和公司后端的开发者使用。

## 约定

- JSON，\`snake_case\`，UTF-8；时间为 RFC 3339 UTC，金额为整数分。方法只有 GET、POST、PUT、DELETE；空正文等于没有正文。
- 列表：\`limit\`（1 至 100，默认 20）和 \`cursor\`，回答 \`{items, next_cursor}\`。
- 第 1 版只增不减：请忽略未知的字段和枚举值。
- 语言：\`Accept-Language\`，默认简体中文，也可 \`en\`；本文档也是如此。
- 每个回答都有 \`X-Request-Id\`：求助时请告诉我们。

## 限制

正文 64 KiB，报告 256 KiB。每分钟：每人购买 10 次，同步与取消 30 次，绑定 10 次，报告 20 次，其余合计 300 次；未登录时每个地址登录与续期 120 次，其余 600 次；每个密钥 600 次。\`RateLimit-*\` 头告知余量；超出为 429，并有 \`Retry-After\`。

## 错误

失败以 \`application/problem+json\`（RFC 9457）回答。请按 \`code\` 判断，\`title\` 与 \`detail\` 是给人看的。
`,
  en: `Subscriptions and devices of a wearable, for whoever builds the mini-program or a backend that calls us.

## Conventions

- JSON, \`snake_case\`, UTF-8; times are RFC 3339 UTC, amounts are whole fen. GET, POST, PUT and DELETE only; an empty body is no body.
- Lists take \`limit\` (1 to 100, 20 by default) and \`cursor\` and answer \`{items, next_cursor}\`.
- Version 1 only grows: ignore members and values that you do not know.
- Language: \`Accept-Language\`, Simplified Chinese by default, or \`en\`; this document too.
- Every answer has \`X-Request-Id\`: name it when you ask for help.

## Limits

Bodies of 64 KiB, reports of 256 KiB. Per minute: each person 10 purchases, 30 syncs and cancellations, 10 bindings, 20 reports, 300 of the rest; without a user, each address 120 sign-ins and renewals, 600 of the rest; each key 600. \`RateLimit-*\` headers tell what is left; more is 429 with \`Retry-After\`.

## Errors

A failure is answered as \`application/problem+json\` (RFC 9457). Decide by \`code\`; \`title\` and \`detail\` are for people.
`,
}

const head: Told = {
  zh: '|状态|code|含义|怎么办|\n|-|-|-|-|',
  en: '|status|code|meaning|what to do|\n|-|-|-|-|',
}

const codes: readonly RestCode[] = Object.keys(remedies).filter((code): code is RestCode => code in remedies)

/** What the document begins with: conventions, limits and every code with what to do about it. */
export function introduction(language: Language): string {
  const rows = codes.map(
    (code) => `|${problems[code].http}|\`${code}\`|${problems[code][language]}|${remedies[code][language]}|`,
  )
  return [opening[language], head[language], ...rows].join('\n')
}

export const titles = {
  document: { zh: 'Meridian 接口', en: 'Meridian API' },
  server: { zh: '提供本文档的主机', en: 'The host that serves this document' },
  user: {
    zh: '`POST /api/v1/auth/login` 给出的访问令牌。',
    en: 'The access token that `POST /api/v1/auth/login` answers.',
  },
  api_key: {
    zh: '控制台“开发者”页创建的密钥，`mk_` 开头。',
    en: "A key of the console's page *Developers*; it begins with `mk_`.",
  },
  platform: {
    zh: '微信支付对 `时间戳\\n随机串\\n正文\\n` 的签名；密钥由 `Wechatpay-Serial` 指明。',
    en: 'The signature of WeChat Pay over `timestamp\\nnonce\\nbody\\n`, by the key that `Wechatpay-Serial` names.',
  },
} as const satisfies Record<string, Told>
