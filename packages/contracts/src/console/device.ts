import { z } from 'zod'
import { deviceStates } from '../choices.ts'
import { period, searchText, timedPageFields } from '../paging.ts'
import { SerialNumber } from '../rest/device.ts'
import { TagChip, tagFilter } from './tag.ts'
import { bindingFields, Reason } from './user.ts'

export const DeviceState = z.enum(deviceStates)
export type DeviceState = z.infer<typeof DeviceState>

/** The filters of the list of devices; what is no time or id holds within the last 90 days unless a time is given. */
export const DeviceFilter = z.object({
  state: DeviceState.optional(),
  inventory: z.boolean().optional(),
  ...tagFilter,
  /** Bounds of the time it was first known, inclusive and exclusive. */
  ...period,
  /** A serial number, whole or its beginning, or the id of the user who has it, whole. */
  search: searchText,
})
export type DeviceFilter = z.infer<typeof DeviceFilter>

export const DeviceListQuery = DeviceFilter.extend(timedPageFields)
export type DeviceListQuery = z.infer<typeof DeviceListQuery>

export const DeviceRow = z.object({
  serialNumber: z.string(),
  model: z.string().nullable(),
  inventory: z.boolean(),
  /** Whether it can prove itself. */
  hasSecret: z.boolean(),
  disabledAt: z.date().nullable(),
  createdAt: z.date(),
  owner: z.object({ userId: z.uuid(), proven: z.boolean(), boundAt: z.date() }).nullable(),
  /** The owner's nickname, masked unless the session reveals names. */
  customer: z.string().nullable(),
  tags: z.array(TagChip),
})
export type DeviceRow = z.infer<typeof DeviceRow>

export const DeviceBinding = z.object({
  id: z.string(),
  userId: z.uuid(),
  /** Their nickname, masked unless the session reveals names. */
  customer: z.string().nullable(),
  ...bindingFields,
})
export type DeviceBinding = z.infer<typeof DeviceBinding>

export const DeviceDetail = DeviceRow.omit({ customer: true, tags: true }).extend({
  /** Masked: its last four characters. */
  macAddress: z.string().nullable(),
  firmwareVersion: z.string().nullable(),
  /** Whether it brought somebody trial days. */
  trialUsed: z.boolean(),
  bindings: z.array(DeviceBinding),
})
export type DeviceDetail = z.infer<typeof DeviceDetail>

export const DeviceReference = z.object({ serialNumber: SerialNumber })

export const DeviceAction = DeviceReference.extend({ reason: Reason })
export type DeviceAction = z.infer<typeof DeviceAction>

export const DEVICE_IMPORT_LIMIT_BYTES = 10 * 1024 * 1024

/** The columns of an inventory file; only the first is required. */
export const deviceImportColumns = [
  'serial_number',
  'model',
  'mac_address',
  'firmware_version',
  'secret',
] as const

export const DeviceImportFault = z.enum([
  'unreadable',
  'too_many_lines',
  'too_many_faults',
  'column_missing',
  'column_unknown',
  'column_repeated',
  'serial_number_form',
  'serial_number_repeated',
  'model_form',
  'mac_address_form',
  'text_form',
  'secret_form',
])
export type DeviceImportFault = z.infer<typeof DeviceImportFault>

/** A file: looked at, applied whole or not at all, or applied without its faulty lines. */
export const DeviceImportMode = z.enum(['preview', 'all', 'good'])
export type DeviceImportMode = z.infer<typeof DeviceImportMode>

/** What an inventory file would do, or did; a device that somebody has bound is never changed by it. */
export const DeviceImport = z.object({
  applied: z.boolean(),
  lines: z.int(),
  created: z.int(),
  updated: z.int(),
  /** Lines of devices that somebody has bound: they stay as they are. The first hundred are named. */
  boundCount: z.int(),
  bound: z.array(z.string()),
  /** Up to 1,000: then the reading ends. */
  faultCount: z.int(),
  faultyLines: z.int(),
  /** Whether every line was read: only then may the good ones be imported without the others. */
  readToEnd: z.boolean(),
  /** `line` as an editor counts. */
  faults: z.array(
    z.object({ line: z.int(), column: z.string().nullable(), fault: DeviceImportFault, value: z.string() }),
  ),
})
export type DeviceImport = z.infer<typeof DeviceImport>
