import { createHash } from 'node:crypto'
import { type ProblemCode, problems } from '@meridian/contracts'
import type { FastifyInstance } from 'fastify'
import { type Language, languageOf } from '../problem.ts'
import { isRestCode, type RestCode, remedies } from './words/remedies.ts'

/** Names what stands in a page itself, so that it runs and nothing else does (CSP 3, hash sources). */
const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policyOf = (allowed: Record<string, string>) =>
  Object.entries({
    'default-src': `'none'`,
    ...allowed,
    'object-src': `'none'`,
    'base-uri': `'none'`,
    'form-action': `'none'`,
    'frame-ancestors': `'none'`,
  })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')

/** For a page that has one style and no script. */
const styledPagePolicy = (style: string): string => policyOf({ 'style-src': sourceOf(style) })

/**
 * For the page that browses the document: its program comes from here, is started by the one script that stands in the
 * page, writes styles as it goes and asks this API alone. The page repeats nothing of a request, so that script is ours.
 */
export function browsingPagePolicy(page: string): string {
  const [, script = ''] = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(page) ?? []
  return policyOf({
    'script-src': `'self' ${sourceOf(script)}`,
    'style-src': `'unsafe-inline'`,
    'img-src': `'self' data:`,
    'connect-src': `'self'`,
  })
}

/** What no operation declares because any path may answer it. */
const everywhere: readonly RestCode[] = ['not_found', 'method_not_allowed', 'internal_error']

const words = {
  zh: {
    title: '错误代码',
    lead: '每个失败的请求都以 application/problem+json（RFC 9457）回答，其中 code 是下列之一。',
    any: '任何路径',
    remedy: '怎么办：',
  },
  en: {
    title: 'Error codes',
    lead: 'Each request that fails is answered as application/problem+json (RFC 9457); its code is one of these.',
    any: 'Any path',
    remedy: 'What to do:',
  },
} as const satisfies Record<Language, object>

const style = `body{max-width:60rem;margin:2rem auto;padding:0 1rem;font:16px/1.6 system-ui,sans-serif;color-scheme:light dark}
section{padding:.75rem 0;border-top:1px solid #8884}section:target{outline:2px solid;outline-offset:.5rem}
h2{margin:0;font-size:1.1rem}p{margin:.25rem 0}li{font-family:ui-monospace,monospace;font-size:.85rem}`

const policy = styledPagePolicy(style)

/** What to do, with the names of members and calls as code. */
const remedyOf = (code: RestCode, language: Language): string =>
  remedies[code][language].replaceAll(/`([^`]+)`/g, '<code>$1</code>')

function sectionOf(code: RestCode, operations: readonly string[], language: Language): string {
  const { http, zh, en } = problems[code]
  const [first, second] = language === 'zh' ? [zh, en] : [en, zh]
  const places = operations.length > 0 ? operations : [words[language].any]
  return `<section id="${code}"><h2><code>${code}</code> · ${http}</h2><p>${first}</p><p><small>${second}</small></p>
<p><b>${words[language].remedy}</b> ${remedyOf(code, language)}</p>
<details><summary>${places.length}</summary><ul>${places.map((place) => `<li>${place}</li>`).join('')}</ul></details></section>`
}

function pageOf(operations: Map<ProblemCode, string[]>, language: Language): string {
  const codes = [...new Set([...operations.keys(), ...everywhere])]
    .filter(isRestCode)
    .toSorted((one, other) => problems[one].http - problems[other].http || one.localeCompare(other))
  const { title, lead } = words[language]
  const sections = codes.map((code) => sectionOf(code, operations.get(code) ?? [], language))
  return `<!doctype html><html lang="${language === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${title} · Meridian</title><style>${style}</style></head>
<body><main><h1>${title}</h1><p>${lead}</p>${sections.join('\n')}</main></body></html>`
}

/** Where the `type` of each problem leads: every code, generated from the table and the document. */
export function problemPage(app: FastifyInstance, operations: () => Map<ProblemCode, string[]>): void {
  app.get('/docs/problems', { schema: { hide: true } }, async (request, reply) => {
    const page = pageOf(operations(), languageOf(request.headers['accept-language']))
    reply.header('content-security-policy', policy).header('vary', 'Accept-Language')
    return reply.type('text/html; charset=utf-8').send(page)
  })
}
