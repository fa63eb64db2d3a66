import { EventBody, eventData, eventTypes, WEBHOOK_TEST_TYPE } from '@meridian/contracts'
import { z } from 'zod'
import type { Language } from '../problem.ts'
import { type DocumentShape, isJson, type Json, type OperationShape } from './document-shape.ts'
import { webhookAnswer, webhookWords } from './words/webhooks.ts'

const dataOf = { ...eventData, [WEBHOOK_TEST_TYPE]: z.object({ seq: z.int().min(1) }) }

const Made = z.custom<Json>(isJson)

/** A schema as the document has it: what has a name there is referred to, and receivers let pass what comes to be. */
function schemaOf(schema: z.ZodType): Json {
  const { $schema: _dialect, $defs: _named, ...made } = z.toJSONSchema(schema, { io: 'input' })
  return Made.parse(JSON.parse(JSON.stringify(made).replaceAll('#/$defs/', '#/components/schemas/')))
}

/** `order.paid` is told by `OrderEvent` as the other two of orders are. */
const nameOfData = (type: string) =>
  `${type.startsWith('order.') ? 'Order' : type.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`

/** What we send, a webhook for each type, with the schema of its data. */
export function tellWebhooks(document: DocumentShape, language: Language): void {
  const { schemas } = document.components
  const tell = (type: keyof typeof webhookWords): OperationShape => {
    const summary = webhookWords[type][language]
    const name = nameOfData(type)
    schemas[name] = schemaOf(dataOf[type])
    const { timestamp } = EventBody.shape
    return {
      tags: ['integration'],
      operationId: type,
      summary,
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                type: { const: type },
                timestamp: schemaOf(timestamp),
                data: { $ref: `#/components/schemas/${name}` },
              },
              required: ['type', 'timestamp', 'data'],
            },
          },
        },
      },
      responses: { '2XX': { description: webhookAnswer[language] } },
    }
  }
  const types = [...eventTypes, WEBHOOK_TEST_TYPE] as const
  document.webhooks = Object.fromEntries(types.map((type) => [type, { post: tell(type) }]))
}
