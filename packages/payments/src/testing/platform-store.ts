/** What a platform keeps: of each kind and key the newest value counts, and null is none. */
export type Kept = { kind: KeptKind; key: string; value: unknown }
export type KeptKind =
  | 'order'
  | 'refund'
  | 'notification'
  | 'planned'
  | 'message'
  | 'shipped'
  | 'bill'
  | 'certificate'

/** Where a platform keeps what must outlive its program. */
export type PlatformStore = {
  /** Everything that counts, in the order in which it first came. */
  read: () => readonly Kept[]
  /** Keeps it before anybody is told of it. */
  keep: (kept: Kept) => void
}

/** For platforms that live as long as a test. */
export const noStore: PlatformStore = { read: () => [], keep: () => undefined }
