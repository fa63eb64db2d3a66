import type { OperationShape } from '../document-shape.ts'
import type { TagWords } from './operation-words.ts'

export const reading = {
  title: { zh: '文档', en: 'Document' },
  description: {
    zh: '本文档，供程序和人阅读；不需要登录。',
    en: 'This document, for programs and for people; needs no sign-in.',
  },
  operations: {
    'GET /openapi.json': {
      operationId: 'getDocument',
      summary: { zh: '读取本文档', en: 'Read this document' },
      description: {
        zh: 'OpenAPI 3.1，由实际校验请求的模式生成；语言随 `Accept-Language`。客户端可由它生成。',
        en: 'OpenAPI 3.1, made from the schemas that validate; in the language of `Accept-Language`. Clients can be generated from it.',
      },
      answers: { 200: { zh: '本文档。', en: 'This document.' } },
      answer: { openapi: '3.1.0', info: { title: 'Meridian API', version: '1' }, paths: {} },
    },
    'GET /docs': {
      operationId: 'browseDocument',
      summary: { zh: '浏览本文档', en: 'Browse this document' },
      description: {
        zh: '供人阅读的网页，可搜索、可试用。错误代码另见 `/api/v1/docs/problems`。',
        en: 'A page for people, to search and to try. The codes have a page of their own, `/api/v1/docs/problems`.',
      },
      answers: { 200: { zh: '网页。', en: 'The page.' } },
      answer: '<!doctype html>',
    },
  },
} as const satisfies TagWords

const limited = { $ref: '#/components/responses/rate_limited' }

/** What is read here has no schema of a route. */
export const readingOperations = (): Readonly<Record<string, OperationShape>> => ({
  'GET /openapi.json': {
    responses: {
      200: { content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } } },
      429: limited,
    },
  },
  'GET /docs': {
    responses: { 200: { content: { 'text/html': { schema: { type: 'string' } } } }, 429: limited },
  },
})
