/** A part of the document whose form is OpenAPI's affair. */
export type Json = { [member: string]: unknown }

export const isJson = (part: unknown): part is Json =>
  typeof part === 'object' && part !== null && !Array.isArray(part)

export type Content = Record<string, { schema?: Json; example?: unknown; examples?: Json }>

export type ResponseShape = { $ref?: string; description?: string; content?: Content }

export type ParameterShape = {
  in: string
  name: string
  required?: boolean
  description?: string
  example?: unknown
  schema: Json
}

/** What is said of an operation without words: what goes in and comes out. */
export type OperationShape = {
  tags?: string[]
  operationId?: string
  summary?: string
  description?: string
  security?: Record<string, never[]>[]
  parameters?: ParameterShape[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, ResponseShape>
}

export type DocumentShape = {
  openapi: string
  info: Json
  tags?: Json[]
  servers?: Json[]
  components: Record<'schemas' | 'responses' | 'examples' | 'securitySchemes', Json>
  paths: Record<string, Record<string, OperationShape>>
  /** What we send, by its type. */
  webhooks: Record<string, { post: OperationShape }>
}

export const PREFIX = '/api/v1'

/** As the contract names an operation: `GET /subscription/orders/{out_trade_no}`. */
export const nameOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.slice(PREFIX.length)}`

/** Every operation with its name. */
export const operationsIn = ({ paths }: Pick<DocumentShape, 'paths'>) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      name: nameOf(method, path),
      method,
      path,
      operation,
    })),
  )
