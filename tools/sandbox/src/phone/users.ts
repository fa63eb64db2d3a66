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

/** The user who holds the phone. */
export const currentUser = (): string => localStorage.getItem(currentKey) ?? userNames()[0] ?? ''

/** Whether the mini-program keeps tokens for this user: who never logged in is asked to. */
export const isLoggedIn = (name: string): boolean => localStorage.getItem(`meridian.tokens:${name}`) !== null
