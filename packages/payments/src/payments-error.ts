/** Why a notification is not believed (protocol §5.2). */
export type NotificationReason =
  | 'headers_missing'
  | 'stale'
  | 'unknown_serial'
  | 'bad_signature'
  | 'probe'
  | 'malformed_envelope'
  | 'unsupported_algorithm'
  | 'undecryptable'
  | 'malformed_payload'

/** Why a call did not answer what was asked (protocol §8). */
export type CallReason =
  | 'unreachable'
  | 'timeout'
  | 'refused'
  | 'unverified_answer'
  | 'malformed_answer'
  | 'invalid_request'

/** Everything that a PaymentsError may be about. */
export type PaymentsReason = NotificationReason | CallReason

/** What a caller does next: repeat the same bytes, correct something, ask what happened, or stop. */
export type Advice = 'retry' | 'fix' | 'ask_again' | 'give_up'

const adviceFor = {
  headers_missing: 'give_up',
  stale: 'give_up',
  unknown_serial: 'retry',
  bad_signature: 'give_up',
  probe: 'retry',
  malformed_envelope: 'give_up',
  unsupported_algorithm: 'give_up',
  undecryptable: 'fix',
  malformed_payload: 'give_up',
  unreachable: 'retry',
  timeout: 'ask_again',
  refused: 'give_up',
  unverified_answer: 'ask_again',
  malformed_answer: 'ask_again',
  invalid_request: 'fix',
} as const satisfies Record<PaymentsReason, Advice>

/** What can be told of a delivery whose signature held although it cannot be read. */
export type SignedOrigin = {
  /** Null where the envelope names none, or one that cannot be one. */
  id: string | null
  eventType: string | null
  serial: string
}

export type PaymentsErrorFacts = {
  /** The HTTP status of a refusal. */
  status?: number
  /** The platform's code of a refusal; never its message, which is unsigned text. */
  code?: string | null
  requestId?: string | null
  /** Overrides the advice that belongs to the reason. */
  advice?: Advice
  /** Whether an answer had begun: then the host was reached, whatever became of the rest. */
  answerBegan?: boolean
  /** A few words of ours; never taken from a body. */
  about?: string
  /** Of a notification: given when its signature held, so that the platform itself sent these bytes. */
  signed?: SignedOrigin
  cause?: unknown
}

/**
 * Everything that goes wrong between the platform and us (protocol §5.2, §8). The message holds the reason and our
 * own words only: no body, no header, no key.
 */
export class PaymentsError extends Error {
  readonly reason: PaymentsReason
  readonly advice: Advice
  readonly status: number | null
  readonly code: string | null
  readonly requestId: string | null
  readonly answerBegan: boolean
  readonly about: string | null
  readonly signed: SignedOrigin | null

  constructor(reason: PaymentsReason, facts: PaymentsErrorFacts = {}) {
    super(
      facts.about ? `${reason}: ${facts.about}` : reason,
      facts.cause ? { cause: facts.cause } : undefined,
    )
    this.name = 'PaymentsError'
    this.reason = reason
    this.advice = facts.advice ?? adviceFor[reason]
    this.status = facts.status ?? null
    this.code = facts.code ?? null
    this.requestId = facts.requestId ?? null
    this.answerBegan = facts.answerBegan ?? false
    this.about = facts.about ?? null
    this.signed = facts.signed ?? null
  }
}
