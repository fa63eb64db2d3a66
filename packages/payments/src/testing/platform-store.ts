/** One record of what a platform stores: of each kind and key the newest value counts, and null is none. */
export type StoredRecord = { kind: RecordKind; key: string; value: unknown }
export const recordKinds = [
  'order',
  'refund',
  'notification',
  'task',
  'message',
  'shipped',
  'bill',
  'certificate',
] as const
export type RecordKind = (typeof recordKinds)[number]

/** Where a platform keeps what must outlive its program. */
export type PlatformStore = {
  /** Everything that counts, in the order in which it first came. */
  read: () => readonly StoredRecord[]
  /** Stores it durably; returns before the platform answers or notifies anybody. */
  save: (record: StoredRecord) => void
}

/** For platforms that live as long as a test. */
export const noStore: PlatformStore = { read: () => [], save: () => undefined }
