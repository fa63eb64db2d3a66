import type { Language } from '../problem.ts'
import { codeSamples } from './code-samples.ts'
import { tidySchemas } from './document-components.ts'
import { tellRefusals } from './document-refusals.ts'
import {
  type DocumentShape,
  isJson,
  type Json,
  type OperationShape,
  operationsIn,
  PREFIX,
} from './document-shape.ts'
import { tellWebhooks } from './document-webhooks.ts'
import { operationWords, tags } from './words/all-words.ts'
import { fieldWords } from './words/fields.ts'
import { introduction, titles } from './words/introduction.ts'
import { ownParameterWords, parameterWords } from './words/parameters.ts'
import { NotificationFailure, platformOperations } from './words/platform.ts'
import { readingOperations } from './words/reading.ts'

/** Adds what is answered before any schema has a say. */
function addOperations({ paths }: DocumentShape): void {
  for (const [name, operation] of Object.entries({ ...platformOperations(), ...readingOperations() })) {
    const [method = '', path = ''] = name.split(' ')
    paths[`${PREFIX}${path}`] = { ...paths[`${PREFIX}${path}`], [method.toLowerCase()]: operation }
  }
}

/** A body that may be null may be left out: an empty body is none. */
function tellOptionalBody({ requestBody }: OperationShape, schemas: Json): void {
  const { schema } = requestBody?.content['application/json'] ?? {}
  const { $ref } = schema ?? {}
  const named = typeof $ref === 'string' ? schemas[$ref.slice($ref.lastIndexOf('/') + 1)] : schema
  const choices = isJson(named) && Array.isArray(named['anyOf']) ? named['anyOf'] : []
  if (requestBody && choices.some((choice) => isJson(choice) && choice['type'] === 'null'))
    requestBody.required = false
}

function tellParameters({ parameters = [], operationId = '' }: OperationShape, language: Language): void {
  for (const parameter of parameters) {
    const words = ownParameterWords[`${operationId} ${parameter.name}`] ?? parameterWords[parameter.name]
    if (words) Object.assign(parameter, { description: words[language], example: words.example })
  }
}

function tellExamples(
  operation: OperationShape,
  { request, answer }: { request?: unknown; answer?: unknown },
) {
  for (const media of Object.values(operation.requestBody?.content ?? {}))
    if (request !== undefined) media.example = request
  for (const [status, { content = {} }] of Object.entries(operation.responses))
    for (const media of Object.values(content))
      if (status.startsWith('2') && answer !== undefined) media.example = answer
}

/** A body that is read as it comes has no schema that validates: what it is, its words say. */
function tellStream(operation: OperationShape, { stream }: { stream?: { type: string; example: string } }) {
  if (stream === undefined) return
  const { type, example } = stream
  operation.requestBody = { required: true, content: { [type]: { schema: { type: 'string' }, example } } }
}

/** @throws Error where an operation has no words */
function tellOperation(name: string, operation: OperationShape, language: Language): OperationShape {
  const words = operationWords.get(name)
  if (!words) throw new Error(`${name} has no words: write them in doors/rest/words`)
  for (const [status, meaning] of Object.entries(words.answers)) {
    const response = operation.responses[status]
    if (!response) throw new Error(`${name} does not answer ${status}, for which it has words`)
    response.description = meaning[language]
  }
  tellParameters({ ...operation, operationId: words.operationId }, language)
  tellExamples(operation, words)
  tellStream(operation, words)
  return {
    tags: [words.tag],
    operationId: words.operationId,
    summary: words.summary[language],
    description: words.description[language],
    security: [],
    ...operation,
  }
}

function tellFields({ components: { schemas } }: DocumentShape, language: Language): void {
  for (const [name, fields] of Object.entries(fieldWords))
    for (const form of [schemas[name], schemas[`${name}Input`]]) {
      const properties = isJson(form) && isJson(form['properties']) ? form['properties'] : {}
      for (const [field, words] of Object.entries(fields))
        if (isJson(properties[field]))
          properties[field] = { ...properties[field], description: words[language] }
    }
}

/** What stands before the operations: whose it is, where it is served, groups and ways to sign in. */
function describeDocument(document: DocumentShape, language: Language): void {
  document.info = {
    title: titles.document[language],
    version: '1',
    summary: titles.document[language],
    description: introduction(language),
    contact: { name: 'Meridian' },
    license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
  }
  document.servers = [{ url: '/', description: titles.server[language] }]
  document.tags = Object.entries(tags).map(([name, { title, description }]) => ({
    name,
    'x-displayName': title[language],
    description: description[language],
  }))
  Object.assign(document.components, {
    responses: {},
    examples: {},
    securitySchemes: {
      user: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: titles.user[language] },
      api_key: { type: 'http', scheme: 'bearer', description: titles.api_key[language] },
      platform: {
        type: 'apiKey',
        in: 'header',
        name: 'Wechatpay-Signature',
        description: titles.platform[language],
      },
    },
  })
}

/** The document in one language: what the routes made of their schemas, with words and examples. */
export function tellDocument(made: DocumentShape, language: Language): DocumentShape {
  const document = structuredClone(made)
  describeDocument(document, language)
  tellRefusals(document, language)
  addOperations(document)
  for (const { name, method, path, operation } of operationsIn(document)) {
    tellOptionalBody(operation, document.components.schemas)
    const told = tellOperation(name, operation, language)
    const whole = { ...told, ...codeSamples({ method, path, asks: operationWords.get(name)?.asks }, told) }
    document.paths[path] = { ...document.paths[path], [method]: whole }
  }
  Object.assign(document.components.schemas, { NotificationFailure })
  tellWebhooks(document, language)
  tellFields(document, language)
  return tidySchemas(document)
}
