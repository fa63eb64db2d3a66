import type { Confirmed } from '../confirmed-refund.ts'

/** Headers as a server has them: names in any case. */
export type HeaderBag = Readonly<Record<string, string | readonly string[] | undefined>>

/** A delivery as it came: the bytes must be the ones received, unparsed and unaltered. */
export type ReceivedNotification = { headers: HeaderBag; body: Uint8Array }

/** How a kept notification is read once more: when it came, and keys that have left the ring since then. */
export type Reread = { receivedAt: Date; olderKeys?: readonly { id: string; pem: string }[] }

/** A notification whose signature held and whose content was decrypted (protocol §5, §6.5). */
export type VerifiedNotification = {
  /** The platform's id of this notification, the same on every repetition. */
  id: string
  eventType: string
  createdAt: Date
  summary: string
  /** Which key signed it: certificate serial or `PUB_KEY_ID_…`. */
  serial: string
  /** The decrypted content as the platform wrote it. */
  payload: unknown
} & (Confirmed | { kind: 'unknown' })
