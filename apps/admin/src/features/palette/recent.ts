import { MOST_RECENT, type PinKind, type PinReference } from '@meridian/contracts'

const PREFIX = 'meridian.recent.'

const kindOfSegment: Readonly<Record<string, PinKind>> = {
  orders: 'order',
  refunds: 'refund',
  users: 'user',
  devices: 'device',
}

/** What an id of each kind looks like; what else stands there, as `/devices/import`, is no thing. */
const forms: Readonly<Record<PinKind, RegExp>> = {
  order: /^M[0-9A-Z]{26}$/,
  refund: /^R[0-9A-Z]{26}$/,
  user: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  device: /^[0-9A-Z-]{4,32}$/,
}

/** The thing whose page this is; null on every other page. */
export function subjectOfPath(path: string): PinReference | null {
  const [, segment = '', id = '', ...more] = path.split('/')
  const kind = kindOfSegment[segment]
  return kind && more.length === 0 && forms[kind].test(id) ? { kind, id } : null
}

const isReference = (value: unknown): value is PinReference => {
  if (typeof value !== 'object' || value === null) return false
  const { kind, id }: { kind?: unknown; id?: unknown } = value
  const known = Object.entries(forms).find(([name]) => name === kind)
  return known !== undefined && typeof id === 'string' && known[1].test(id)
}

/** Storage that may be refused, or full: what was opened last is a convenience. */
function withStorage<Answer>(act: (storage: Storage) => Answer, otherwise: Answer): Answer {
  try {
    return act(localStorage)
  } catch {
    return otherwise
  }
}

/** What an operator opened last in this browser, the newest first: ids and kinds alone. */
export const readRecent = (operatorId: string): PinReference[] =>
  withStorage((storage) => {
    const kept: unknown = JSON.parse(storage.getItem(`${PREFIX}${operatorId}`) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isReference).slice(0, MOST_RECENT) : []
  }, [])

export function rememberOpened(operatorId: string, { kind, id }: PinReference): void {
  const others = readRecent(operatorId).filter((other) => other.kind !== kind || other.id !== id)
  const kept = JSON.stringify([{ kind, id }, ...others].slice(0, MOST_RECENT))
  withStorage((storage) => storage.setItem(`${PREFIX}${operatorId}`, kept), undefined)
}

/** Forgets what anybody opened in this browser. */
export const forgetOpened = (): void =>
  withStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key)
  }, undefined)
