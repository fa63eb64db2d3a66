import type { HeaderLookup } from '../signature/signature-headers.ts'
import type { HeaderBag } from './verified-notification.ts'

/** Looks headers up whatever the case of their names; one that is given twice counts as absent. */
export const headerLookup =
  (headers: HeaderBag): HeaderLookup =>
  (name) => {
    const direct = Object.hasOwn(headers, name) ? headers[name] : undefined
    return single(direct === undefined ? inAnyCase(headers, name) : direct)
  }

function inAnyCase(headers: HeaderBag, name: string): HeaderBag[string] {
  const matching = Object.keys(headers).filter(
    (key) => key.toLowerCase() === name && headers[key] !== undefined,
  )
  const [only] = matching
  return matching.length === 1 && only !== undefined ? headers[only] : undefined
}

function single(value: HeaderBag[string]): string | undefined {
  if (typeof value === 'string' || value === undefined) return value
  return value.length === 1 ? value[0] : undefined
}
