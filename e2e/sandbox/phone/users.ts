import type { TokenPair } from '@meridian/contracts'

export type User = { name: string; tokens(): TokenPair | null; keep(tokens: TokenPair | null): void }

const namesKey = 'users'
const currentKey = 'user'

export function userNames(): string[] {
  const stored = localStorage.getItem(namesKey)
  return stored === null ? ['小林', '小周'] : stored.split('\n')
}

export function addUser(): string {
  const names = userNames()
  const name = `${names.length + 1}`
  localStorage.setItem(namesKey, [...names, name].join('\n'))
  return name
}

export function chooseUser(name: string): void {
  localStorage.setItem(currentKey, name)
}

/** The user who holds the phone, with the tokens the mini-program has stored for them. */
export function currentUser(): User {
  const name = localStorage.getItem(currentKey) ?? userNames()[0] ?? ''
  const key = `tokens:${name}`
  return {
    name,
    tokens: () => JSON.parse(localStorage.getItem(key) ?? 'null'),
    keep: (tokens) =>
      tokens === null ? localStorage.removeItem(key) : localStorage.setItem(key, JSON.stringify(tokens)),
  }
}
