import { type Phone, waitOnClock } from './phone.ts'

type Answered = {
  status: number
  headers: { forEach: (visit: (value: string, name: string) => void) => void }
  text: () => Promise<string>
}
type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal?: AbortSignal },
) => Promise<Answered>

export type FetchPhone = Pick<Phone, 'loginCode' | 'requestPayment'> &
  Partial<Pick<Phone, 'storage' | 'wait' | 'platform'>> & { fetch: Fetch }

/** Keeps what it is given for as long as the program runs. */
function inMemory(): Phone['storage'] {
  const kept = new Map<string, string>()
  return {
    read: (key) => kept.get(key) ?? null,
    write: (key, value) => {
      if (value === null) kept.delete(key)
      else kept.set(key, value)
    },
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A phone that speaks by `fetch`: for tests, and for pages that play a phone. */
export function onFetch({ fetch, storage = inMemory(), ...phone }: FetchPhone): Phone {
  return {
    platform: 'other',
    wait: waitOnClock,
    storage,
    request: async ({ method, url, headers, body, timeoutMs }) => {
      const answer = await fetch(url, {
        method,
        headers,
        signal: AbortSignal.timeout(timeoutMs),
        ...(body !== null && { body }),
      })
      const answered: Record<string, string> = {}
      answer.headers.forEach((value, name) => {
        answered[name.toLowerCase()] = value
      })
      return { status: answer.status, headers: answered, body: parsed(await answer.text()) }
    },
    ...phone,
  }
}
