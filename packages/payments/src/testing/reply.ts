/** What an endpoint wants to answer; a body that is not bytes is sent as JSON, bytes as what `type` says they are. */
export type Reply = { status: number; body: unknown; signed: boolean; type?: string }

export const ok = (body: unknown): Reply => ({ status: 200, body, signed: true })
export const done: Reply = { status: 204, body: undefined, signed: true }
export const plain = (body: unknown): Reply => ({ status: 200, body, signed: false })

export type RefusalWords = { code: string; message: string; detail?: Record<string, unknown> }

/** A refusal as the platform words it (protocol §8.1). */
export class Refusal extends Error {
  readonly status: number
  readonly words: RefusalWords

  constructor(status: number, words: RefusalWords) {
    super(words.code)
    this.status = status
    this.words = words
  }
}

const refuseField =
  (location: 'body' | 'query') =>
  (field: string, issue: string): Refusal =>
    new Refusal(400, {
      code: 'PARAM_ERROR',
      message: `参数错误 ${issue}`,
      detail: { field, issue, location },
    })

/** The field of a body, named by its JSON pointer. */
export const badParameter = refuseField('body')

/** The field of a query, named plainly. */
export const badQuery = refuseField('query')
