import type { ProblemKind } from './problem-kind.ts'

/** Of a request as such, whoever sends it and whatever it is about. */
export const requestProblems = {
  invalid_request: { http: 400, trpc: 'BAD_REQUEST', zh: '请求内容有误', en: 'The request is not valid' },
  malformed_json: {
    http: 400,
    trpc: 'BAD_REQUEST',
    zh: '请求不是有效的 JSON',
    en: 'The request is not valid JSON',
  },
  not_found: { http: 404, trpc: 'NOT_FOUND', zh: '找不到该资源', en: 'Not found' },
  method_not_allowed: {
    http: 405,
    trpc: 'METHOD_NOT_SUPPORTED',
    zh: '不支持该请求方法',
    en: 'Method not allowed',
  },
  idempotency_in_progress: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '同一请求正在处理中',
    en: 'The same request is being processed',
  },
  payload_too_large: {
    http: 413,
    trpc: 'PAYLOAD_TOO_LARGE',
    zh: '请求内容过大',
    en: 'The request is too large',
  },
  unsupported_media_type: {
    http: 415,
    trpc: 'UNSUPPORTED_MEDIA_TYPE',
    zh: '不支持的内容类型',
    en: 'Unsupported content type',
  },
  idempotency_key_reused: {
    http: 422,
    trpc: 'UNPROCESSABLE_CONTENT',
    zh: '幂等键已用于其他请求',
    en: 'The idempotency key was used for another request',
  },
  range_too_wide: {
    http: 422,
    trpc: 'UNPROCESSABLE_CONTENT',
    zh: '查询范围过大，请缩小时间范围',
    en: 'Narrow the range',
  },
  rate_limited: {
    http: 429,
    trpc: 'TOO_MANY_REQUESTS',
    zh: '请求过于频繁，请稍后再试',
    en: 'Too many requests',
  },
  internal_error: { http: 500, trpc: 'INTERNAL_SERVER_ERROR', zh: '服务器内部错误', en: 'Internal error' },
  service_unavailable: {
    http: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    zh: '服务暂时不可用',
    en: 'Service unavailable',
  },
} as const satisfies Record<string, ProblemKind>
