export type RequestToSign = {
  method: string
  /** Path and query exactly as on the wire. */
  target: string
  timestamp: string
  nonce: string
  body: string
}

/** The five lines of a request, each ended by one LF, the last one too (protocol §1.3). */
export const requestMessage = ({ method, target, timestamp, nonce, body }: RequestToSign): string =>
  `${method}\n${target}\n${timestamp}\n${nonce}\n${body}\n`

export type ParamsToSign = { appId: string; timeStamp: string; nonceStr: string; package: string }

/** The four lines behind `paySign`; the fourth is the whole `prepay_id=…` (protocol §3.3). */
export const paymentParamsMessage = (params: ParamsToSign): string =>
  `${params.appId}\n${params.timeStamp}\n${params.nonceStr}\n${params.package}\n`

const LF = Buffer.from('\n')

/**
 * The three lines of an answer or a notification in pieces: the head, the received bytes, which are neither copied
 * nor decoded, and the last LF (protocol §1.4).
 */
export const answerMessage = (timestamp: string, nonce: string, body: Uint8Array): readonly Uint8Array[] => [
  Buffer.from(`${timestamp}\n${nonce}\n`, 'latin1'),
  body,
  LF,
]
