import {
  Feature,
  type ImportFault,
  type ImportFaultCode,
  type ImportKind,
  importRequired,
} from '@meridian/contracts'
import { z } from 'zod'
import { newUlid } from '../platform/ids/new-id.ts'

/** A line as it is kept until it is written; null where the line says nothing. */
export type ImportRow = {
  line: number
  source: string
  sourceId: string
  openid: string
  nickname: string | null
  planCode: string | null
  days: number | null
  /** subscribers: the end of their days; orders: when it was paid; bindings: when it was bound. */
  instant: string | null
  features: string[] | null
  amountFen: number | null
  transactionId: string | null
  outTradeNo: string | null
  serialNumber: string | null
}

const Instant = z.iso.datetime({ offset: true })
const [firstInstant, endOfInstants] = [Date.parse('2000-01-01T00:00:00Z'), Date.parse('9999-12-31T00:00:00Z')]
/** Zones reach from -12:00 to +14:00; what lies outside these years is a mistake, and some of it no database keeps. */
const isInstant = (text: string) =>
  text.length <= 40 &&
  Instant.safeParse(text).success &&
  /(Z|[+-](0\d|1[0-3]):\d\d|[+-]14:00)$/.test(text) &&
  Date.parse(text) >= firstInstant &&
  Date.parse(text) < endOfInstants
const isInteger = (text: string, most: number, least = 0) =>
  /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most
/** So many characters, none of them a control character or half of a surrogate pair, which UTF-16 can hold. */
const isText = (least: number, most: number) => {
  const form = new RegExp(`^[^\\p{Cc}\\p{Cs}]{${least},${most}}$`, 'u')
  return (text: string) => form.test(text)
}
const featuresOf = (text: string) => [...new Set(text.split(/[\s;]+/).filter(Boolean))]

/** What a filled cell must look like. */
const forms: Readonly<Record<string, { fits: (text: string) => boolean; code: ImportFaultCode }>> = {
  source: { fits: (text) => /^[A-Za-z0-9._-]{1,64}$/.test(text), code: 'source_form' },
  source_id: { fits: isText(1, 128), code: 'text_form' },
  openid: { fits: (text) => /^[A-Za-z0-9_-]{1,128}$/.test(text), code: 'openid_form' },
  nickname: { fits: isText(0, 64), code: 'text_form' },
  plan_code: { fits: (text) => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(text), code: 'plan_unknown' },
  expires_at: { fits: isInstant, code: 'instant_form' },
  paid_at: { fits: isInstant, code: 'instant_form' },
  bound_at: { fits: isInstant, code: 'instant_form' },
  days: { fits: (text) => isInteger(text, 3660), code: 'days_form' },
  amount_fen: { fits: (text) => isInteger(text, 100_000_000, 1), code: 'amount_form' },
  features: {
    fits: (text) => {
      const features = featuresOf(text)
      return features.length <= 20 && features.every((feature) => Feature.safeParse(feature).success)
    },
    code: 'features_form',
  },
  transaction_id: { fits: (text) => /^[0-9A-Za-z]{1,64}$/.test(text), code: 'transaction_form' },
  out_trade_no: { fits: isText(0, 128), code: 'text_form' },
  serial_number: { fits: (text) => /^[A-Za-z0-9-]{4,32}$/.test(text), code: 'serial_number_form' },
}

function faultsOf(kind: ImportKind, cells: ReadonlyMap<string, string>, line: number): ImportFault[] {
  const required: readonly string[] = importRequired[kind]
  const faults = [...cells].flatMap(([column, text]): ImportFault[] => {
    if (text === '') return required.includes(column) ? [{ line, column, code: 'value_missing' }] : []
    const form = forms[column]
    return form === undefined || form.fits(text) ? [] : [{ line, column, code: form.code }]
  })
  const hasBothOrNeither = !cells.get('expires_at') === !cells.get('days')
  if (kind === 'subscribers' && hasBothOrNeither)
    faults.push({ line, column: 'expires_at', code: 'expires_at_or_days' })
  return faults
}

/** An order keeps the number it had where the payment platform would take it, else it gets one of ours. */
const numberOf = (text: string) => (/^[0-9A-Za-z_*|-]{6,32}$/.test(text) ? text : `M${newUlid()}`)

/** What the cells of a line say, by the names of their columns. */
export function readRow(
  kind: ImportKind,
  cells: ReadonlyMap<string, string>,
  line: number,
): { row: ImportRow } | { faults: ImportFault[] } {
  const faults = faultsOf(kind, cells, line)
  if (faults.length > 0) return { faults }
  const textOf = (column: string) => cells.get(column) || null
  const numberOfColumn = (column: string) => (cells.get(column) ? Number(cells.get(column)) : null)
  return {
    row: {
      line,
      source: cells.get('source') ?? '',
      sourceId: cells.get('source_id') ?? '',
      openid: cells.get('openid') ?? '',
      nickname: textOf('nickname'),
      planCode: textOf('plan_code'),
      days: numberOfColumn('days'),
      instant: textOf('expires_at') ?? textOf('paid_at') ?? textOf('bound_at'),
      features: cells.get('features') ? featuresOf(cells.get('features') ?? '') : null,
      amountFen: numberOfColumn('amount_fen'),
      transactionId: textOf('transaction_id'),
      outTradeNo: kind === 'orders' ? numberOf(cells.get('out_trade_no') ?? '') : null,
      serialNumber: textOf('serial_number')?.toUpperCase() ?? null,
    },
  }
}
